import { Schema, SchemaTransformation } from "effect";
import { storedContents, storedPerson } from "../send/neighbours.ts";
import { AccountId, type StoredJson } from "../shared/index.ts";
import { storedJson, VERSION_1 } from "../shared/neighbours.ts";
import type { Approval } from "./approvals/Approval.ts";
import type { Draft } from "./Draft.ts";
import { approvalFields } from "./rules.ts";

const Text = Schema.String;
const Numbers = Schema.Array(Schema.Number);
const Account = Schema.String.pipe(Schema.fromBrand("AccountId", AccountId));

const PendingSave = Schema.Struct({ token: Text, checksum: Text });
/**
 * A pending save of an earlier release, stored only as its token. A copy with such a token counts as changed by another
 * client.
 */
const PendingToken = Text.pipe(
  Schema.decodeTo(
    PendingSave,
    SchemaTransformation.transform({
      decode: (token) => ({ token, checksum: "" }),
      encode: ({ token }) => token,
    }),
  ),
);

/** The JSON of a draft (spec 12.1). */
const draftJson: StoredJson<Draft> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Account,
    version: Schema.Number,
    state: Schema.Literals(["draft", "sending", "sent"]),
    reason: Schema.NullOr(Schema.Struct({ reason: Text, detail: Text })),
    savedAt: Schema.Number,
    contents: Schema.Struct({
      from: Schema.NullOr(Schema.Union([Text, storedPerson])),
      ...storedContents,
      trackOpens: Schema.Boolean,
      sendAt: Schema.NullOr(Schema.Number),
      replyToMessageId: Schema.NullOr(Text),
      force: Schema.optionalKey(Schema.Boolean),
      expiresAfter: Schema.optionalKey(Text),
    }),
    copy: Schema.NullOr(Schema.Struct({ path: Text, uidValidity: Schema.Number, uid: Schema.Number })),
    token: Text,
    pending: Schema.Array(Schema.Union([PendingSave, PendingToken])),
    stale: Numbers,
    outgoing: Schema.NullOr(Schema.Struct({ id: Text, version: Schema.Number, mayBeSent: Schema.Boolean })),
    detached: Numbers,
    checkAt: Schema.NullOr(Schema.Number),
    step: Schema.Number,
  }),
);

/** The JSON of an approval (spec 13.2). */
const approvalJson: StoredJson<Approval> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Account,
    draftId: Text,
    version: Schema.Number,
    state: approvalFields.state,
    by: Schema.Struct({ kind: Schema.Literals(["key", "grant"]), id: Text, name: Text, application: Text }),
    recipients: Schema.Array(Schema.Struct({ address: Text, known: Schema.Boolean })),
    subject: Text,
    preview: Text,
    files: Schema.Array(Schema.Struct({ name: Text, type: Text, size: Schema.Number })),
    hash: Text,
    createdAt: Schema.Number,
    expiresAt: Schema.Number,
    decidedAt: Schema.NullOr(Schema.Number),
    reason: Schema.NullOr(Text),
  }),
);

/** The stored forms of the records of this domain. */
export const draftsJson = { draft: draftJson, approval: approvalJson };
