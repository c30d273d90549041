import { Schema } from "effect";

/** The database is down or does not answer (503, spec 2). */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** The cause, for the log. */
  detail: Schema.String,
  /** Whether the database answered, but with a row that this process cannot decrypt. */
  isSealed: Schema.optionalKey(Schema.Boolean),
}) {}
