import { Schema } from "effect";

/** A cursor that is not one of ours, or is for another folder (400). */
export class CursorMalformed extends Schema.TaggedError<CursorMalformed>()("CursorMalformed", {}) {}

/** The mailbox was made anew (another UIDVALIDITY) since the cursor was given: start again at page 1 (400). */
export class CursorStale extends Schema.TaggedError<CursorStale>()("CursorStale", {}) {}
