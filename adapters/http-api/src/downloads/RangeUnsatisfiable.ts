import { Schema } from "effect";

/** The requested range lies outside the content (416, RFC 9110, 15.5.17). */
export class RangeUnsatisfiable extends Schema.TaggedError<RangeUnsatisfiable>()("RangeUnsatisfiable", {
  /** Size of the content in bytes. */
  size: Schema.Number,
}) {}
