import { Schema } from "effect";
import { HttpApiError } from "effect/http-api";
import { FieldError, members, problem } from "./problem.ts";

const REJECTED = Schema.Array(
  Schema.Struct({ recipient: Schema.String, status: Schema.String, detail: Schema.String }),
);

/** 400: the SMTP server refused every recipient for good (spec 6). */
export class RecipientRefused extends HttpApiError.Problem<RecipientRefused>()(
  "recipient_refused",
  { type: "urn:postern:problem:recipient_refused", status: 400, title: "The mail server refused every recipient." },
  { ...members("recipient_refused"), errors: Schema.Array(FieldError), rejected: REJECTED },
) {}

/** 403: the operator lets this address send nothing (spec 2.3). */
export class SenderBlocked extends problem<SenderBlocked>()("sender_blocked", 403, "This address may not send.") {}

/** 403: the SMTP server lets this address send nothing (spec 6). */
export class SenderRefused extends problem<SenderRefused>()(
  "sender_refused",
  403,
  "The mail server does not let this address send.",
) {}

/** 404. */
export class OutgoingNotFound extends problem<OutgoingNotFound>()(
  "outgoing_not_found",
  404,
  "There is no such outgoing message.",
) {}

/** 409 with `Retry-After`: ask again when the request under way was answered (spec 6). */
export class SendInProgress extends problem<SendInProgress>()(
  "send_in_progress",
  409,
  "This request is being carried out at this moment.",
) {}

/** 409: `detail` says what became of it. */
export class OutgoingNotCancellable extends problem<OutgoingNotCancellable>()(
  "not_cancellable",
  409,
  "This message is no longer waiting to be sent.",
) {}

/** 422: a key is for one request (spec 6). */
export class IdempotencyKeyReused extends problem<IdempotencyKeyReused>()(
  "idempotency_key_reused",
  422,
  "This Idempotency-Key was used for another request.",
) {}

/** 429 with `Retry-After`, `RateLimit` and `RateLimit-Policy` (spec 2.3). */
export class SendRateExceeded extends problem<SendRateExceeded>()(
  "send_rate_exceeded",
  429,
  "This account has sent as much as it may for now.",
) {}

/** 500: the connection ended before the answer to the message; it is never sent again by us (spec 6). */
export class SendOutcomeUnknown extends HttpApiError.Problem<SendOutcomeUnknown>()(
  "send_outcome_unknown",
  {
    type: "urn:postern:problem:send_outcome_unknown",
    status: 500,
    title: "Whether the mail server took the message is not known.",
  },
  { ...members("send_outcome_unknown"), messageId: Schema.String },
) {}

/** 503 with `Retry-After`: the database went away while the message was journaled. The outbox shows it where it was. */
export class SendUnconfirmed extends HttpApiError.Problem<SendUnconfirmed>()(
  "send_unconfirmed",
  {
    type: "urn:postern:problem:send_unconfirmed",
    status: 503,
    title: "Whether the message was taken is not known; look for it in the outbox.",
  },
  { ...members("send_unconfirmed"), id: Schema.String, messageId: Schema.String, state: Schema.Literal("unknown") },
) {}

/** 502: nothing was sent and nothing is kept to be sent (spec 6). */
export class SmtpAuthRefused extends problem<SmtpAuthRefused>()(
  "smtp_auth_failed",
  502,
  "The mail server takes no mail from this account with the password kept for it.",
) {}
