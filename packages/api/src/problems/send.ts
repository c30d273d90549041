import { Schema } from "effect";
import { HttpApiError } from "effect/http-api";
import { members, membersWithErrors, problem } from "./problem.ts";

/** A recipient that the SMTP server refused. */
export const RejectedRecipient = Schema.Struct({
  recipient: Schema.String.annotate({ description: "Address of the recipient.", examples: ["gone@postern.test"] }),
  status: Schema.String.annotate({
    description: "Enhanced status code (RFC 3463). Class 5 is permanent; class 4 is retried.",
    examples: ["5.1.1"],
  }),
  detail: Schema.String.annotate({
    description: "The answer of the SMTP server, in its words.",
    examples: ["550 5.1.1 no such mailbox"],
  }),
}).annotate({ identifier: "RejectedRecipient", description: "A recipient that the SMTP server refused." });

const MessageId = Schema.String.annotate({
  description: "Message-ID of the message.",
  examples: ["<out_6Ja34Dr7XnZ1G-uuezwBXw@postern.test>"],
});

/** 400: the SMTP server refused every recipient for good (spec 6). */
export class RecipientRefused extends HttpApiError.Problem<RecipientRefused>()(
  "recipient_refused",
  { type: "urn:postern:problem:recipient_refused", status: 400, title: "The mail server refused every recipient" },
  {
    ...membersWithErrors("recipient_refused"),
    rejected: Schema.Array(RejectedRecipient).annotate({ description: "The recipients with the answers they got." }),
  },
  { description: "Nothing was sent. Correct the addresses and send again with another Idempotency-Key." },
) {}

/** 403: the operator has blocked this sender (spec 2.3). */
export class SenderBlocked extends problem<SenderBlocked>()(
  "sender_blocked",
  403,
  "This address may not send",
  "The operator of the service has blocked the sender (`SENDER_BLOCKLIST`). Ask the operator.",
) {}

/** 403: the SMTP server does not let this address send (spec 6). */
export class SenderRefused extends problem<SenderRefused>()(
  "sender_refused",
  403,
  "The mail server does not let this address send",
  "Nothing was sent. `detail` is the answer of the SMTP server.",
) {}

/** 404. */
export class OutgoingNotFound extends problem<OutgoingNotFound>()(
  "outgoing_not_found",
  404,
  "Outgoing message not found",
  "The outbox has no message with this id.",
) {}

/** 409 with `Retry-After`: ask again once the first request has its answer (spec 6). */
export class SendInProgress extends problem<SendInProgress>()(
  "send_in_progress",
  409,
  "A request with this Idempotency-Key is in progress",
  "Repeat the request after `Retry-After` seconds to get the answer of the first.",
) {}

/** 409: `detail` names the state of the message. */
export class OutgoingNotCancellable extends problem<OutgoingNotCancellable>()(
  "not_cancellable",
  409,
  "The message can no longer be cancelled",
  "Only a message in the state `queued` or `scheduled` can be cancelled; `detail` names its state.",
) {}

/** 422: a key is for one request (spec 6). */
export class IdempotencyKeyReused extends problem<IdempotencyKeyReused>()(
  "idempotency_key_reused",
  422,
  "This Idempotency-Key was used for another request",
  "A key names one message. Send a different message with a new key.",
) {}

/** 429 with `Retry-After`, `RateLimit` and `RateLimit-Policy` (spec 2.3). */
export class SendRateExceeded extends problem<SendRateExceeded>()(
  "send_rate_exceeded",
  429,
  "This account has reached its sending rate",
  "Nothing was sent. Send again after `Retry-After` seconds; `detail` names the limits.",
) {}

/** 500: the connection ended before the answer to the message; Postern never sends it again (spec 6). */
export class SendOutcomeUnknown extends HttpApiError.Problem<SendOutcomeUnknown>()(
  "send_outcome_unknown",
  {
    type: "urn:postern:problem:send_outcome_unknown",
    status: 500,
    title: "It is not known whether the mail server accepted the message",
  },
  { ...members("send_outcome_unknown"), messageId: MessageId },
  {
    description:
      "The connection was cut after the message was sent and before the answer. Postern does not send it again: " +
      "look in the Sent folder or ask the recipient before you do.",
  },
) {}

/** 503 with `Retry-After`: the database failed while the message was journaled. The outbox shows it if it was stored. */
export class SendUnconfirmed extends HttpApiError.Problem<SendUnconfirmed>()(
  "send_unconfirmed",
  {
    type: "urn:postern:problem:send_unconfirmed",
    status: 503,
    title: "It is not known whether the message was accepted; look for it in the outbox",
  },
  {
    ...members("send_unconfirmed"),
    id: Schema.String.annotate({
      description: "Id that the message has in the outbox, if it was stored.",
      examples: ["out_6Ja34Dr7XnZ1G-uuezwBXw"],
    }),
    messageId: MessageId,
    state: Schema.Literal("unknown").annotate({ description: "Always `unknown`." }),
  },
  {
    description:
      "The database failed while the message was stored. Look for `id` in the outbox, or repeat the request with the " +
      "same Idempotency-Key.",
  },
) {}

/** 502: nothing was sent and nothing is kept to be sent (spec 6). */
export class SmtpAuthRefused extends problem<SmtpAuthRefused>()(
  "smtp_auth_failed",
  502,
  "The SMTP server does not accept the stored password",
  "Nothing was sent and nothing is queued. Sign in again with the current password, then send with a new Idempotency-Key.",
) {}
