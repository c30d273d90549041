import { Schema } from "effect";

/** The bytes have no such range (416, RFC 9110, 15.5.17). */
export class RangeUnsatisfiable extends Schema.TaggedError<RangeUnsatisfiable>()("RangeUnsatisfiable", {
  /** How many bytes there are. */
  size: Schema.Number,
}) {}
