import { Schema } from "effect";
import { badRequest, problem } from "./problem.ts";

/** A recipient that the SMTP server refused. */
export const RejectedRecipient = Schema.Struct({
  recipient: Schema.String.annotate({ description: "Address of the recipient.", examples: ["gone@postern.test"] }),
  status: Schema.String.annotate({
    description: "Enhanced status code (RFC 3463). Class 5 is permanent; class 4 is retried.",
    examples: ["5.1.1"],
  }),
  detail: Schema.String.annotate({
    description: "The answer of the SMTP server, verbatim.",
    examples: ["550 5.1.1 no such mailbox"],
  }),
}).annotate({ identifier: "RejectedRecipient", description: "A recipient that the SMTP server refused." });

const MessageId = Schema.String.annotate({
  description: "Message-ID of the message.",
  examples: ["<out_6Ja34Dr7XnZ1G-uuezwBXw@postern.test>"],
});

const OutboxId = Schema.String.annotate({
  description: "Id of the message in the outbox, which lists it as failed.",
  examples: ["out_6Ja34Dr7XnZ1G-uuezwBXw"],
});

/** 400: the SMTP server refused every recipient permanently (spec 6). */
export class RecipientRefused extends badRequest<RecipientRefused>()(
  "recipient_refused",
  "The mail server refused every recipient",
  "Nothing was sent. Correct the addresses that rejected lists, then send again with a new Idempotency-Key.",
  { field: "to", message: "gone@postern.test: 550 5.1.1 no such mailbox" },
  {
    id: OutboxId,
    rejected: Schema.Array(RejectedRecipient).annotate({
      description: "The recipients with the answers of the SMTP " + "server.",
    }),
  },
) {}

/** 404: no upload of this account has this id. */
export class UploadNotFound extends problem<UploadNotFound>()(
  "upload_not_found",
  404,
  "Upload not found",
  "The account has no upload with this id, or it has expired: uploads are kept for 24 hours, or as long as a message or a draft needs them. Upload the file again.",
) {}

/** 403: the operator has blocked this sender (spec 2.3). */
export class SenderBlocked extends problem<SenderBlocked>()(
  "sender_blocked",
  403,
  "This address may not send",
  "The operator of the service has blocked the address with SENDER_BLOCKLIST. Ask the operator to allow it.",
) {}

/** 403: the SMTP server refuses this address as a sender (spec 6). */
export class SenderRefused extends problem<SenderRefused>()(
  "sender_refused",
  403,
  "The mail server does not let this address send",
  "Nothing was sent. Ask the operator of the mail server to let this address send.",
  { id: OutboxId },
) {}

/** 404: the account has no such outgoing message. */
export class OutgoingNotFound extends problem<OutgoingNotFound>()(
  "outgoing_not_found",
  404,
  "Outgoing message not found",
  "The outbox has no message with this id; a finished message is kept for 30 days. List the messages with GET /api/outbox.",
) {}

/** 409 with `Retry-After`: the first request with this key has no answer yet (spec 6). */
export class SendInProgress extends problem<SendInProgress>()(
  "send_in_progress",
  409,
  "A request with this Idempotency-Key is in progress",
  "The first request with this key has no answer yet. Repeat the request after the seconds given in Retry-After to get that answer.",
) {}

/** 409: the state of the message does not allow this; `detail` names the state. */
export class OutgoingNotCancellable extends problem<OutgoingNotCancellable>()(
  "not_cancellable",
  409,
  "The message can no longer be cancelled",
  "Only a message in the state queued, scheduled or held can be cancelled. Read its state with GET /api/outbox.",
) {}

/** 409: the state of the message does not allow this; `detail` names the state. */
export class OutgoingNotWaiting extends problem<OutgoingNotWaiting>()(
  "not_waiting",
  409,
  "The message does not wait for an attempt",
  "Only a message in the state queued can be sent now. Read its state with GET /api/outbox.",
) {}

/** 409: the message is not held, or is held for another application; `detail` tells which. */
export class OutgoingNotReleasable extends problem<OutgoingNotReleasable>()(
  "not_releasable",
  409,
  "The message cannot be released",
  "Only a held message can be released, by a key of its application, the account's owner or the operator. Read its state with GET /api/outbox.",
) {}

/** 422: a program must not answer a program's message, because two programs would never stop (spec 6.2). */
export class AutomaticMessage extends problem<AutomaticMessage>()(
  "automatic_message",
  422,
  "A program wrote the message that is answered",
  "Nothing was sent. Do not answer such messages by program. If a person wants to answer the message, send the " +
    "request with force: true.",
) {}

/** 429 with `Retry-After`, `RateLimit` and `RateLimit-Policy`: the rate limit is used up (spec 2.3). */
export class SendRateExceeded extends problem<SendRateExceeded>()(
  "send_rate_exceeded",
  429,
  "This account has reached its sending rate",
  "Nothing was sent. Send again after the seconds given in Retry-After.",
) {}

/** 500: the connection ended before the server's answer; Postern never sends the message again (spec 6). */
export class SendOutcomeUnknown extends problem<SendOutcomeUnknown>()(
  "send_outcome_unknown",
  500,
  "It is not known whether the mail server accepted the message",
  "The connection ended after the message was sent and before the mail server answered. Postern does not send the " +
    "message again. Look in the Sent folder or ask the recipient before you send it again.",
  {
    id: Schema.String.annotate({
      description: "Id of the message in the outbox.",
      examples: ["out_6Ja34Dr7XnZ1G-uuezwBXw"],
    }),
    messageId: MessageId,
  },
) {}

/** 503 with `Retry-After`: the database failed while the message was journaled. A stored message is in the outbox. */
export class SendUnconfirmed extends problem<SendUnconfirmed>()(
  "send_unconfirmed",
  503,
  "It is not known whether the message was accepted; look for it in the outbox",
  "The database failed while the message was stored. Look for its id in the outbox, or repeat the request with the same Idempotency-Key.",
  {
    id: Schema.String.annotate({
      description: "Id that the message has in the outbox, if it was stored.",
      examples: ["out_6Ja34Dr7XnZ1G-uuezwBXw"],
    }),
    messageId: MessageId,
    state: Schema.Literal("unknown").annotate({ description: "Always `unknown`." }),
  },
) {}

/** 502: the SMTP server refused the credential; nothing was sent or queued (spec 6). */
export class SmtpAuthRefused extends problem<SmtpAuthRefused>()(
  "smtp_auth_failed",
  502,
  "The SMTP server does not accept the account's password or token",
  "Nothing was sent and nothing is queued. Sign in again with the current password, then send with a new Idempotency-Key.",
  { id: OutboxId },
) {}
