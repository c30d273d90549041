import { Schema } from "effect";
import { AccountId, type StoredJson } from "../../shared/index.ts";
import { storedJson, VERSION_1 } from "../../shared/neighbours.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { OPEN_CLASSES, type TrackedMessage } from "../opens/opens.ts";
import type { SendAnswer } from "../send-answer.ts";
import { storedContents, storedPerson } from "./stored-contents.ts";

const Text = Schema.String;
const Texts = Schema.Array(Text);
const Account = Schema.String.pipe(Schema.fromBrand("AccountId", AccountId));
const Reply = Schema.Struct({ code: Schema.Number, enhanced: Schema.NullOr(Text), text: Text });

/** The JSON of a journaled message (spec 6.3). */
const outgoingMessageJson: StoredJson<OutgoingMessage> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Account,
    kind: Schema.optionalKey(Schema.Literal("notice")),
    messageId: Text,
    providerMessageId: Schema.optionalKey(Text),
    author: Schema.optionalKey(Schema.Struct({ key: Text, application: Text })),
    createdAt: Schema.Number,
    from: Text,
    to: Texts,
    cc: Texts,
    subject: Text,
    recipients: Schema.Array(
      Schema.Struct({
        address: Text,
        state: Schema.Literals(["queued", "dot", "sent", "failed", "unknown", "cancelled"]),
        reply: Schema.NullOr(Reply),
      }),
    ),
    step: Schema.Number,
    attemptAt: Schema.NullOr(Schema.Number),
    scheduledFor: Schema.NullOr(Schema.Number),
    expiresAfter: Schema.optionalKey(Schema.Number),
    paused: Schema.NullOr(Schema.Struct({ since: Schema.Number, version: Schema.Number })),
    failure: Schema.NullOr(
      Schema.Struct({
        reason: Schema.Literals([
          "unreachable",
          "untrusted",
          "timeout",
          "connection_cut",
          "busy",
          "protocol",
          "flood",
          "recipient_refused",
          "sender_refused",
          "message_refused",
          "message_too_large",
          "smtp_auth_failed",
          "account_paused",
          "process_lost",
          "contents_lost",
        ]),
        detail: Text,
      }),
    ),
    copy: Schema.Struct({
      state: Schema.Literals(["none", "owed", "kept", "given_up"]),
      step: Schema.Number,
      at: Schema.NullOr(Schema.Number),
      failure: Schema.optionalKey(Schema.Struct({ reason: Text, detail: Text })),
    }),
    waitsFor: Schema.optionalKey(Text),
    isDelayed: Schema.optionalKey(Schema.Literal(true)),
    heldSince: Schema.optionalKey(Schema.Number),
    heldBy: Schema.optionalKey(Schema.Literals(["operator", "suspension"])),
    heldMillis: Schema.optionalKey(Schema.Number),
  }),
);

/** The JSON of a message's contents. */
const outgoingContentsJson: StoredJson<OutgoingContents> = storedJson(
  Schema.Struct({ ...VERSION_1, from: storedPerson, ...storedContents, size: Schema.Number }),
);

/** The JSON of the answer stored with an idempotency key (spec 6.5). */
const sendAnswerJson: StoredJson<SendAnswer> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    outcome: Schema.Literals([
      "sent",
      "queued",
      "scheduled",
      "recipient_refused",
      "sender_refused",
      "smtp_auth_failed",
      "message_too_large",
      "unknown",
    ]),
    id: Text,
    messageId: Text,
    providerMessageId: Schema.optionalKey(Schema.NullOr(Text)),
    rejected: Schema.Array(Schema.Struct({ recipient: Text, status: Text, detail: Text })),
    detail: Text,
  }),
);

const OpenCounts = Schema.optionalKey(Schema.Struct({ count: Schema.Number, lastEventAt: Schema.Number }));
const [HUMAN, PROXY, PREFETCH, SCANNER] = OPEN_CLASSES;

/** The JSON of a message's openings by class. */
const openCountsJson: StoredJson<TrackedMessage["opens"]> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    [HUMAN]: OpenCounts,
    [PROXY]: OpenCounts,
    [PREFETCH]: OpenCounts,
    [SCANNER]: OpenCounts,
  }),
);

/** The stored forms of a message, its contents, the answer to its sender, and its openings. */
export const outgoingJson = {
  message: outgoingMessageJson,
  contents: outgoingContentsJson,
  answer: sendAnswerJson,
  opens: openCountsJson,
};
