import { Count, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { OUTGOING_ID, OUTGOING_ITEM, OUTGOING_MAIL, SEND_RESULT } from "../examples/outgoing.ts";
import { SenderNotAllowed } from "../problems/identities.ts";
import { IdempotencyKeyReused } from "../problems/creations.ts";
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
import { outgoingFields } from "../records/outgoing-fields.ts";
import { SendKeyHeaders } from "../records/preconditions.ts";
import { Instant, NoCursor, Ok } from "../records/wire.ts";

/** Spec 2.4, 6.2. */
export const OutgoingMail = Schema.Struct(outgoingFields).annotate({
  identifier: "OutgoingMail",
  description: "The message to send. A new one needs `to`, `subject`, and `text` or `html`.",
});

const ProviderMessageId = Schema.NullOr(Schema.String).annotate({
  description: "Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours.",
});

/** Spec 2.4. */
export const SendResult = Schema.Struct({
  ok: Ok,
  messageId: Schema.String.annotate({ description: "Message-ID of the message." }),
  providerMessageId: ProviderMessageId,
  id: Schema.String.annotate({ description: "Id of the message in the outbox." }),
  status: Schema.Literals(["sent", "queued", "scheduled"]).annotate({
    description:
      "`sent`: the mail server accepted the message; `queued`: Postern goes on trying; `scheduled`: it waits for `sendAt`.",
  }),
  rejected: Schema.Array(RejectedRecipient).annotate({
    description: "Recipients refused at the first attempt; those with a status of class 4 are retried.",
  }),
}).annotate({ identifier: "SendResult", description: "The outcome of the first attempt." });

const OutgoingRecipient = Schema.Struct({
  address: Schema.String.annotate({ description: "Address of the recipient." }),
  state: Schema.Literals(["queued", "sending", "sent", "failed", "unknown", "cancelled"]).annotate({
    description:
      "`unknown`: the connection was cut after the message was sent, so it may have arrived; it is not sent again.",
  }),
  status: Schema.NullOr(Schema.String).annotate({
    description: "Enhanced status code (RFC 3463) of the last answer; null before the first.",
  }),
  detail: Schema.NullOr(Schema.String).annotate({
    description: "Last answer of the SMTP server, in its words; null before the first.",
  }),
}).annotate({ identifier: "OutgoingRecipient", description: "A recipient of an outgoing message." });

const Failure = Schema.Struct({
  reason: Schema.String.annotate({ description: "Code of the reason, such as `over_quota`." }),
  detail: Schema.String.annotate({ description: "The reason in words." }),
});

/** A message in the outbox (spec 6). */
export const OutgoingItem = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the message in the outbox." }),
  messageId: Schema.String.annotate({ description: "Message-ID of the message." }),
  providerMessageId: ProviderMessageId,
  state: Schema.Literals(["scheduled", "queued", "held", "sending", "sent", "failed", "unknown", "cancelled"]).annotate(
    {
      description:
        "State of the message, derived from its recipients: `sent` if it was sent to at least one. `held`: the key that asked " +
        "for it was deleted; it waits to be released, and is cancelled after 30 days.",
    },
  ),
  subject: Schema.String.annotate({ description: "Subject of the message." }),
  to: Schema.Array(Schema.String).annotate({ description: "Addresses in the field To." }),
  cc: Schema.Array(Schema.String).annotate({ description: "Addresses in the field Cc." }),
  recipients: Schema.Array(OutgoingRecipient).annotate({ description: "State of each recipient, bcc included." }),
  createdAt: Instant.annotate({ description: "Time of the request." }),
  sendAt: Schema.NullOr(Instant).annotate({ description: "Time asked for by `sendAt`; null if there was none." }),
  attempts: Count.annotate({ description: "Attempts after which recipients had to wait for a retry." }),
  nextAttemptAt: Schema.NullOr(Instant).annotate({ description: "Time of the next attempt; null if there is none." }),
  failure: Schema.NullOr(Failure).annotate({ description: "Why the message failed; null if it did not." }),
  sentCopy: Schema.Struct({
    state: Schema.Literals(["none", "owed", "kept", "given_up"]).annotate({
      description:
        "`none`: not due yet; `owed`: to be stored; `kept`: stored; `given_up`: Postern stopped trying to store it.",
    }),
    nextAttemptAt: Schema.NullOr(Instant).annotate({ description: "Time of the next attempt; null if there is none." }),
    failure: Schema.NullOr(Failure).annotate({ description: "Why the copy is not stored; null if nothing failed." }),
  }).annotate({ description: "The copy in the Sent folder." }),
}).annotate({ identifier: "OutgoingItem", description: "A message in the outbox." });

/** Why a message is not sent. */
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
  ...MAIL_SERVER_PROBLEMS,
] as const;

const send = HttpApiEndpoint.post("send", "/send", {
  headers: SendKeyHeaders,
  payload: OutgoingMail,
  success: SendResult,
  error: SEND_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Send a message",
    description:
      "Stores the message in the outbox and tries to send it at once, for at most 15 seconds; if it is not decided by then " +
      "the answer is `queued` and the outcome comes as an event. Temporary failures are retried after 1, 5, 15 and 30 " +
      "minutes, 1 hour and then every 2 hours, for 4 days, and when a mail server that was down is back. A repeat sends another message, unless both have the same `Idempotency-Key`.",
    request: OUTGOING_MAIL,
    answer: SEND_RESULT,
  }),
);

const list = HttpApiEndpoint.get("list", "/outbox", {
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(OutgoingItem).annotate({ description: "The messages, newest first." }),
    nextCursor: NoCursor,
  }),
  error: StoreUnavailable,
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "List outgoing messages",
    description:
      "Returns the newest 200 messages that the account sent or is sending, with the state of each recipient.",
    answer: { ok: true, data: [OUTGOING_ITEM], nextCursor: null },
  }),
);

const cancel = HttpApiEndpoint.delete("cancel", "/outbox/:id", {
  params: { id: RecordId.annotate({ description: "Id of the message in the outbox.", examples: [OUTGOING_ID] }) },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotCancellable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Cancel a message",
    description:
      "Cancels a message that is `queued`, `scheduled` or `held`: it is not sent to the recipients that have not received it. For a " +
      "message that is being sent or was sent, the answer is 409.",
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
  params: { id: RecordId.annotate({ description: "Id of the message in the outbox.", examples: [OUTGOING_ID] }) },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotWaiting, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Send a queued message now",
    description:
      "Makes the next attempt of a message that is `queued` at once; if that fails, the message waits as after any other " +
      "attempt. The answer does not wait for the attempt. For a message in another state the answer is 409.",
    answer: { ok: true, data: { ...OUTGOING_ITEM, state: "queued" } },
  }),
);

const release = HttpApiEndpoint.post("release", "/outbox/:id/release", {
  params: { id: RecordId.annotate({ description: "Id of the message in the outbox.", examples: [OUTGOING_ID] }) },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotReleasable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: ["mail:send", "admin"],
    summary: "Release a held message",
    description:
      "Sends a message that is held because the key that asked for it was deleted; at once, or at its `sendAt`. For the " +
      "account's owner, the operator and the other keys of the same application; otherwise the answer is 409.",
    answer: { ok: true, data: { ...OUTGOING_ITEM, state: "queued" } },
  }),
);

/** Sending (spec 6.2). */
export class SendGroup extends HttpApiGroup.make("send")
  .add(send)
  .add(list)
  .add(cancel)
  .add(sendNow)
  .add(release)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Sending")
  .annotate(OpenApi.Description, "Send messages, and follow or cancel them in the outbox.") {}
