import { Schema } from "effect";

/** The account has no message with this id, or the message is gone (404, spec 5). */
export class MessageNotFound extends Schema.TaggedError<MessageNotFound>()("MessageNotFound", {}) {}

/** The message has no such part (404). */
export class AttachmentNotFound extends Schema.TaggedError<AttachmentNotFound>()("AttachmentNotFound", {}) {}

/** A label has an invalid name (400, spec 5.5); `field` is the path of the list in the request. */
export class LabelInvalid extends Schema.TaggedError<LabelInvalid>()("LabelInvalid", {
  field: Schema.String,
}) {}

/** The mail server refuses the labels; `detail` is the server's reason, if any (409, spec 5.5). */
export class LabelsNotSupported extends Schema.TaggedError<LabelsNotSupported>()("LabelsNotSupported", {
  detail: Schema.NullOr(Schema.String),
}) {}

/** The reasons why a message could not be parsed. Its raw form can still be read (spec 5). */
export const PARSE_FAULTS = ["malformed", "too_slow", "crashed", "quarantined", "busy"] as const;

/**
 * The message could not be parsed. `malformed`: it is not a readable message. `too_slow`, `crashed`: parsing exceeded
 * the limits of time or memory. `quarantined`: parsing failed too often and is not tried again. `busy`: the parser had
 * no capacity in time.
 */
export class MessageUnparsable extends Schema.TaggedError<MessageUnparsable>()("MessageUnparsable", {
  reason: Schema.Literals(PARSE_FAULTS),
}) {}

/** The message offers no way to leave its list, or not the requested way (409, spec 5.8). */
export class UnsubscribeNotOffered extends Schema.TaggedError<UnsubscribeNotOffered>()("UnsubscribeNotOffered", {}) {}

/** The list did not accept the POST (502, spec 5.8). */
export class UnsubscribeFailed extends Schema.TaggedError<UnsubscribeFailed>()("UnsubscribeFailed", {
  /** The error code of the delivery, or the status of the response. */
  reason: Schema.String,
  url: Schema.String,
}) {}

/** The cursor is invalid or belongs to another folder (400). */
export class CursorMalformed extends Schema.TaggedError<CursorMalformed>()("CursorMalformed", {}) {}

/** The mailbox was recreated (UIDVALIDITY changed) after the cursor was issued; the client must start again at page 1 (400). */
export class CursorStale extends Schema.TaggedError<CursorStale>()("CursorStale", {}) {}

/** A folder has messages that its follower has not recorded yet, so their next change would not be announced (503, spec 5.7). */
export class ListingNotReady extends Schema.TaggedError<ListingNotReady>()("ListingNotReady", {}) {}

/** The mail server searches only for ASCII, and the criteria have other characters (400). */
export class SearchCharsetRefused extends Schema.TaggedError<SearchCharsetRefused>()("SearchCharsetRefused", {
  criteria: Schema.Array(Schema.String),
}) {}
