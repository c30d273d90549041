import { Schema } from "effect";

/** Every success says so (spec 1.1). */
export const Ok = Schema.Literal(true);

/** A number of things. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** A point in time, ISO 8601 UTC with milliseconds. */
export const Instant = Schema.String.annotate({ format: "date-time" });

/** A page number or size: a whole number from 1 to 2³¹ − 1 (spec 5). */
export const PositiveInt = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }, { message: "must be a whole number from 1 to 2147483647" }),
);

/** Text that can be stored, signed and sent anywhere: well-formed Unicode without NUL. */
export const Text = Schema.String.check(
  Schema.makeFilter((text) => (text.isWellFormed() && !text.includes("\0") ? undefined : "must be well-formed text")),
);

/** Text that is not empty and at most this many characters long. */
export const textUpTo = (characters: number) =>
  Text.check(
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(characters, { message: `must be at most ${characters} characters` }),
  );
