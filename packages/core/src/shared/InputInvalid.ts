import { Schema } from "effect";

/** The input violates rules; `errors` has every fault with its field (400, spec 2). */
export class InputInvalid extends Schema.TaggedError<InputInvalid>()("InputInvalid", {
  errors: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String })),
}) {}
