import { Schema } from "effect";
import type { AgentNotAllowed } from "../auth/index.ts";
import type { MailboxCredentialsRejected } from "../mail/index.ts";
import type { InputInvalid, StoreUnavailable } from "../shared/index.ts";

/**
 * The message exceeds the limit named in `detail` (413, spec 6). `id` is set if Postern accepted the message and the
 * server then refused it.
 */
export class MessageTooLarge extends Schema.TaggedError<MessageTooLarge>()("MessageTooLarge", {
  id: Schema.optionalKey(Schema.String),
  detail: Schema.String,
}) {}

/** The operator has blocked this address as a sender (403, spec 2.3). */
export class SenderBlocked extends Schema.TaggedError<SenderBlocked>()("SenderBlocked", {}) {}

/** The agent's policy neither allows the message nor requests an approval (403, spec 13.1). */
export class OutsidePolicy extends Schema.TaggedError<OutsidePolicy>()("OutsidePolicy", {}) {}

/** The account has used up its rate limit (429, spec 2.3). */
export class SendRateExceeded extends Schema.TaggedError<SendRateExceeded>()("SendRateExceeded", {
  window: Schema.Literals(["minute", "day"]),
  /** Milliseconds until the next message may be sent. */
  retryAfter: Schema.Number,
  perMinute: Schema.Number,
  perDay: Schema.Number,
}) {}

/** The service key has sent its maximum number of messages in 24 hours (429, spec 10.2). */
export class KeySendRateExceeded extends Schema.TaggedError<KeySendRateExceeded>()("KeySendRateExceeded", {
  /** Milliseconds until the next message may be sent. */
  retryAfter: Schema.Number,
  perDay: Schema.Number,
}) {}

/** The request answers a message that a program wrote, without `force` (422, spec 6.2). */
export class AutomaticMessage extends Schema.TaggedError<AutomaticMessage>()("AutomaticMessage", {}) {}

/** A request with the same key is still being processed (409, spec 6). */
export class SendInProgress extends Schema.TaggedError<SendInProgress>()("SendInProgress", {}) {}

/** The SMTP server refused every recipient permanently (400, spec 6); `id` is the id of the message in the outbox, as in the errors below. */
export class RecipientRefused extends Schema.TaggedError<RecipientRefused>()("RecipientRefused", {
  id: Schema.String,
  rejected: Schema.Array(Schema.Struct({ recipient: Schema.String, status: Schema.String, detail: Schema.String })),
}) {}

/** The SMTP server refuses this address as a sender (403, spec 6). */
export class SenderRefused extends Schema.TaggedError<SenderRefused>()("SenderRefused", {
  id: Schema.String,
  detail: Schema.String,
}) {}

/** The SMTP server refused the account's credential (502, spec 6). */
export class SmtpAuthRefused extends Schema.TaggedError<SmtpAuthRefused>()("SmtpAuthRefused", { id: Schema.String }) {}

/** The connection ended after the last byte of the message and before the reply (500, spec 6). */
export class SendOutcomeUnknown extends Schema.TaggedError<SendOutcomeUnknown>()("SendOutcomeUnknown", {
  id: Schema.String,
  messageId: Schema.String,
}) {}

/** The database failed while the message was journaled. If the message is in the journal, the outbox shows it and it is sent (503). */
export class SendUnconfirmed extends Schema.TaggedError<SendUnconfirmed>()("SendUnconfirmed", {
  id: Schema.String,
  messageId: Schema.String,
}) {}

/** The account has no contact with this id (404, spec 12.5). */
export class ContactNotFound extends Schema.TaggedError<ContactNotFound>()("ContactNotFound", {}) {}

/** The message has no invitation to this account that can be answered (409, spec 5.8). */
export class InvitationNotAnswerable extends Schema.TaggedError<InvitationNotAnswerable>()(
  "InvitationNotAnswerable",
  {},
) {}

/** The account has no outgoing message with this id (404). */
export class OutgoingNotFound extends Schema.TaggedError<OutgoingNotFound>()("OutgoingNotFound", {}) {}

/** The message is no longer queued or is being sent now (409, spec 6). */
export class OutgoingNotCancellable extends Schema.TaggedError<OutgoingNotCancellable>()("OutgoingNotCancellable", {
  state: Schema.String,
}) {}

/** The message does not wait for its next attempt (409, spec 6.6). */
export class OutgoingNotWaiting extends Schema.TaggedError<OutgoingNotWaiting>()("OutgoingNotWaiting", {
  state: Schema.String,
}) {}

/** The message is not held, or is held for another application (409, spec 6.6). */
export class OutgoingNotReleasable extends Schema.TaggedError<OutgoingNotReleasable>()("OutgoingNotReleasable", {
  detail: Schema.String,
}) {}

/** The body is not one file in the form field `file`; `message` describes the fault of `field` (400, spec 6). */
export class UploadMalformed extends Schema.TaggedError<UploadMalformed>()("UploadMalformed", {
  field: Schema.String,
  message: Schema.String,
}) {}

/** The file is larger than an upload may be (413, spec 6). */
export class UploadTooLarge extends Schema.TaggedError<UploadTooLarge>()("UploadTooLarge", {
  maxBytes: Schema.Number,
}) {}

/** The request names a sender that is not a verified identity of the account (403, spec 12.2). */
export class SenderNotAllowed extends Schema.TaggedError<SenderNotAllowed>()("SenderNotAllowed", {}) {}

/** The account has no upload with this id, or it has expired (404, spec 6.1). */
export class UploadNotFound extends Schema.TaggedError<UploadNotFound>()("UploadNotFound", {}) {}

/** The account has no identity with this id (404, spec 12.2). */
export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>()("IdentityNotFound", {}) {}

/** The account has an identity with this address (409, spec 12.2). */
export class IdentityExists extends Schema.TaggedError<IdentityExists>()("IdentityExists", {}) {}

/** An unverified identity cannot become the default (409, spec 12.2). */
export class IdentityUnverified extends Schema.TaggedError<IdentityUnverified>()("IdentityUnverified", {}) {}

/** The client names a version of the identity that is not the current one (409, spec 2.7). */
export class IdentityChanged extends Schema.TaggedError<IdentityChanged>()("IdentityChanged", {}) {}

/** The account's own address cannot be deleted (409, spec 12.2). */
export class IdentityOwn extends Schema.TaggedError<IdentityOwn>()("IdentityOwn", {}) {}

/** The account has the maximum number of identities (409, spec 12.2). */
export class TooManyIdentities extends Schema.TaggedError<TooManyIdentities>()("TooManyIdentities", {}) {}

export type IdentityCreationError =
  | InputInvalid
  | IdentityExists
  | IdentityUnverified
  | TooManyIdentities
  | SenderBlocked
  | AgentNotAllowed
  | SendRateExceeded
  | MailboxCredentialsRejected
  | StoreUnavailable;
