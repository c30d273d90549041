import { Schema } from "effect";

/** No message of this account answers to the id, or it is gone (404, spec 5). */
export class MessageNotFound extends Schema.TaggedError<MessageNotFound>()("MessageNotFound", {}) {}

/** The message has no such part (404). */
export class AttachmentNotFound extends Schema.TaggedError<AttachmentNotFound>()("AttachmentNotFound", {}) {}

/** Why a message could not be parsed; its raw form can be had all the same (spec 5). */
export const PARSE_FAULTS = ["malformed", "too_slow", "crashed", "quarantined", "busy"] as const;

/**
 * `malformed`: no parser can read it. `too_slow`, `crashed`: it took more time or memory than a message may.
 * `quarantined`: it failed so often that it is not tried again. `busy`: other messages took all the time there was.
 */
export class MessageUnparsable extends Schema.TaggedError<MessageUnparsable>()("MessageUnparsable", {
  reason: Schema.Literals(PARSE_FAULTS),
}) {}

/** A cursor that is not one of ours, or is for another folder (400). */
export class CursorMalformed extends Schema.TaggedError<CursorMalformed>()("CursorMalformed", {}) {}

/** The mailbox was recreated (another UIDVALIDITY) since the cursor was given: start again at page 1 (400). */
export class CursorStale extends Schema.TaggedError<CursorStale>()("CursorStale", {}) {}
