import { Schema } from "effect";
import { AccountId, type StoredJson } from "../../shared/index.ts";
import { storedJson, VERSION_1 } from "../../shared/neighbours.ts";
import { approvalFields } from "../rules.ts";
import type { Approval } from "./Approval.ts";

const Text = Schema.String;

/** The JSON of an approval (spec 13.2). */
export const approvalJson: StoredJson<Approval> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Schema.String.pipe(Schema.fromBrand("AccountId", AccountId)),
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
