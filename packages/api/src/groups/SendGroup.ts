import { outboxRules, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { APPROVAL } from "../examples/approvals.ts";
import { OUTGOING_ID, OUTGOING_ITEM, OUTGOING_MAIL, SEND_RESULT } from "../examples/outgoing.ts";
import { SenderNotAllowed } from "../problems/identities.ts";
import { OutsidePolicy } from "../problems/approvals.ts";
import { CreationInProgress, IdempotencyKeyReused } from "../problems/creations.ts";
import { DraftChanged, StorageExceeded } from "../problems/drafts.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, PayloadTooLarge } from "../problems/requests.ts";
import {
  AutomaticMessage,
  OutgoingNotCancellable,
  OutgoingNotFound,
  OutgoingNotReleasable,
  OutgoingNotWaiting,
  RecipientRefused,
  RejectedRecipient,
  SenderBlocked,
  SenderRefused,
  SendInProgress,
  SendOutcomeUnknown,
  SendRateExceeded,
  SendUnconfirmed,
  SmtpAuthRefused,
} from "../problems/send.ts";
import { ApprovalAsked } from "../records/approvals.ts";
import { outgoingFields } from "../records/outgoing-fields.ts";
import { OutgoingItem, ProviderMessageId } from "../records/outgoing-items.ts";
import { SendKeyHeaders } from "../records/preconditions.ts";
import { NextCursor, Ok, pageQuery } from "../records/wire.ts";

/** A message to send (spec 2.4, 6.2). */
export const OutgoingMail = Schema.Struct(outgoingFields).annotate({
  identifier: "OutgoingMail",
  description: "The message to send. A new one needs `to`, `subject`, and `text` or `html`.",
});

/** The outcome of the first attempt (spec 2.4). */
export const SendResult = Schema.Struct({
  ok: Ok,
  messageId: Schema.String.annotate({ description: "Message-ID of the message." }),
  providerMessageId: ProviderMessageId,
  id: Schema.String.annotate({ description: "Id of the message in the outbox." }),
  status: Schema.Literals(["sent", "queued", "scheduled"]).annotate({
    description:
      "`sent`: the mail server accepted the message; `queued`: Postern tries again; `scheduled`: it waits for " +
      "`sendAt`.",
  }),
  rejected: Schema.Array(RejectedRecipient).annotate({
    description: "Recipients refused at the first attempt; those with a status of class 4 are retried.",
  }),
}).annotate({ identifier: "SendResult", description: "The outcome of the first attempt." });

/** The problems of a request to send. */
export const SEND_PROBLEMS = [
  RecipientRefused,
  InvalidRequest,
  SenderBlocked,
  SenderNotAllowed,
  SenderRefused,
  SendInProgress,
  PayloadTooLarge,
  AutomaticMessage,
  IdempotencyKeyReused,
  SendRateExceeded,
  SendOutcomeUnknown,
  SmtpAuthRefused,
  SendUnconfirmed,
  OutsidePolicy,
  ...MAIL_SERVER_PROBLEMS,
] as const;

/** The problems of asking for an approval, which makes a draft. */
export const ASK_PROBLEMS = [DraftChanged, StorageExceeded, CreationInProgress] as const;

const send = HttpApiEndpoint.post("send", "/send", {
  headers: SendKeyHeaders,
  payload: OutgoingMail,
  success: [SendResult, ApprovalAsked],
  error: [...SEND_PROBLEMS, ...ASK_PROBLEMS],
}).annotateMerge(
  documented({
    scope: ["mail:draft", "mail:send"],
    summary: "Send a message",
    description:
      "Stores the message in the outbox and tries to send it at once, for at most 15 seconds. If the outcome is not " +
      "known by then, the answer is `queued` and the outcome comes as an event. Temporary failures are retried " +
      "after 1, 5, 15 and 30 minutes, 1 hour and then every 2 hours, for 4 days, and also when a mail server that " +
      "was down is back. A repeat sends another message, unless both requests have the same `Idempotency-Key`. If " +
      "the policy of the key demands an approval, the message becomes a draft that waits for the approval, and the " +
      "answer is 202.",
    request: OUTGOING_MAIL,
    answer: SEND_RESULT,
    accepted: { ok: true, approval: APPROVAL },
  }),
);

const OutboxId = RecordId.annotate({ description: "Id of the message in the outbox.", examples: [OUTGOING_ID] });

const list = HttpApiEndpoint.get("list", "/outbox", {
  query: {
    ...pageQuery,
    state: Schema.optionalKey(outboxRules.fields.state.annotate({ description: "Only messages in this state." })),
    messageId: Schema.optionalKey(
      outboxRules.fields.messageId.annotate({
        description: "Only the message with this Message-ID, from Postern or from the mail server.",
      }),
    ),
    key: Schema.optionalKey(
      outboxRules.fields.key.annotate({ description: "Only messages requested by the service key with this id." }),
    ),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(OutgoingItem).annotate({ description: "The messages, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "List outgoing messages",
    description:
      "Returns the messages that the account sent or is sending, newest first, with the state of each recipient.",
    answer: { ok: true, data: [OUTGOING_ITEM], nextCursor: null },
  }),
);

const get = HttpApiEndpoint.get("get", "/outbox/:id", {
  params: { id: OutboxId },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Read an outgoing message",
    description: "Returns one message of the outbox with the state of each recipient.",
    answer: { ok: true, data: OUTGOING_ITEM },
  }),
);

const cancel = HttpApiEndpoint.delete("cancel", "/outbox/:id", {
  params: { id: OutboxId },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotCancellable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Cancel a message",
    description:
      "Cancels a message that is `queued`, `scheduled` or `held`: it is not sent to the recipients that have not " +
      "received it. For a message that is being sent or was sent, the answer is 409.",
    answer: {
      ok: true,
      data: {
        ...OUTGOING_ITEM,
        state: "cancelled",
        recipients: [{ ...OUTGOING_ITEM.recipients[0], state: "cancelled" }],
        nextAttemptAt: null,
      },
    },
  }),
);

const sendNow = HttpApiEndpoint.post("sendNow", "/outbox/:id/send-now", {
  params: { id: OutboxId },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotWaiting, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Send a queued message now",
    description:
      "Attempts to send a message that is `queued` at once. If the attempt fails, the message waits as after any " +
      "other attempt. The answer does not wait for the attempt. For a message in another state the answer is 409.",
    answer: { ok: true, data: { ...OUTGOING_ITEM, state: "queued" } },
  }),
);

const release = HttpApiEndpoint.post("release", "/outbox/:id/release", {
  params: { id: OutboxId },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotReleasable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: ["mail:send", "admin"],
    summary: "Release a held message",
    description:
      "Sends a message that is held because the key that requested it was deleted: at once, or at its `sendAt`. " +
      "Allowed for the account's owner, the operator and the other keys of the same application; otherwise the " +
      "answer is 409. Only the operator releases a message that the operator holds.",
    answer: { ok: true, data: { ...OUTGOING_ITEM, state: "queued" } },
  }),
);

/** Sending (spec 6.2). */
export class SendGroup extends HttpApiGroup.make("send")
  .add(send)
  .add(list)
  .add(get)
  .add(cancel)
  .add(sendNow)
  .add(release)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Sending")
  .annotate(OpenApi.Description, "Send messages, and follow or cancel them in the outbox.") {}
