import { Schema } from "effect";

/** What is wrong with a request to send: every field at fault with what it must be (400, spec 2.3). */
export class DraftInvalid extends Schema.TaggedError<DraftInvalid>()("DraftInvalid", {
  errors: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String })),
}) {}

/** More than a message may hold; `limit` says what it may (413, spec 6). */
export class MessageTooLarge extends Schema.TaggedError<MessageTooLarge>()("MessageTooLarge", {
  limit: Schema.String,
}) {}

/** The operator lets this address send nothing (403, spec 2.3). */
export class SenderBlocked extends Schema.TaggedError<SenderBlocked>()("SenderBlocked", {}) {}

/** As many messages as an account may send were sent (429, spec 2.3). */
export class SendRateExceeded extends Schema.TaggedError<SendRateExceeded>()("SendRateExceeded", {
  window: Schema.Literals(["minute", "day"]),
  /** Milliseconds until the next one. */
  retryAfter: Schema.Number,
  perMinute: Schema.Number,
  perDay: Schema.Number,
}) {}

/** The key was used for another request (422, spec 6). */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The same request is being sent at this moment (409, spec 6). */
export class SendInProgress extends Schema.TaggedError<SendInProgress>()("SendInProgress", {}) {}

/** The SMTP server refused every recipient for good (400, spec 6). */
export class RecipientRefused extends Schema.TaggedError<RecipientRefused>()("RecipientRefused", {
  rejected: Schema.Array(Schema.Struct({ recipient: Schema.String, status: Schema.String, detail: Schema.String })),
}) {}

/** The SMTP server does not let this address send (403, spec 6). */
export class SenderRefused extends Schema.TaggedError<SenderRefused>()("SenderRefused", { detail: Schema.String }) {}

/** The SMTP server refused the account's credential (502, spec 6). */
export class SmtpAuthRefused extends Schema.TaggedError<SmtpAuthRefused>()("SmtpAuthRefused", {}) {}

/** The connection ended between the last byte of the message and the answer to it (500, spec 6). */
export class SendOutcomeUnknown extends Schema.TaggedError<SendOutcomeUnknown>()("SendOutcomeUnknown", {
  messageId: Schema.String,
}) {}

/** The database went away while the message was journaled: it may be sent, and the outbox will show it then (503). */
export class SendUnconfirmed extends Schema.TaggedError<SendUnconfirmed>()("SendUnconfirmed", {
  id: Schema.String,
  messageId: Schema.String,
}) {}

/** No outgoing message of this account has this id (404). */
export class OutgoingNotFound extends Schema.TaggedError<OutgoingNotFound>()("OutgoingNotFound", {}) {}

/** Not queued any more, or being sent at this moment (409, spec 6). */
export class OutgoingNotCancellable extends Schema.TaggedError<OutgoingNotCancellable>()("OutgoingNotCancellable", {
  state: Schema.String,
}) {}

/** What came is not one file in the field `file` of a form; `message` says what is wrong with which field (400, spec 6). */
export class UploadMalformed extends Schema.TaggedError<UploadMalformed>()("UploadMalformed", {
  field: Schema.String,
  message: Schema.String,
}) {}

/** A file is larger than an upload may be (413, spec 6). */
export class UploadTooLarge extends Schema.TaggedError<UploadTooLarge>()("UploadTooLarge", {
  maxBytes: Schema.Number,
}) {}
