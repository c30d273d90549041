import { Schema } from "effect";

/** `ok` of every success (spec 2.1). */
export const Ok = Schema.Literal(true).annotate({ description: "Always true in a success." });

/** The cursor of lists that have one page only. */
export const NoCursor = Schema.Null.annotate({ description: "Always null: the list has one page." });

/** A point in time: ISO 8601, UTC, with milliseconds. */
export const Instant = Schema.String.annotate({ format: "date-time" });

/** A boolean in a query: `true` or `false`. */
export const Flag = Schema.Literals(["true", "false"]);
