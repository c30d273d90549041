import { Schema } from "effect";

/** The mark of every success (spec 2.1). */
export const Ok = Schema.Literal(true).annotate({ description: "Always true in a success." });

/** The cursor of lists that have one page only. */
export const NoCursor = Schema.Null.annotate({ description: "Always null: the list has one page." });

/** A whole number from 0. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** A point in time, ISO 8601 UTC with milliseconds. */
export const Instant = Schema.String.annotate({ format: "date-time" });

/** A page number or size: a whole number from 1 to 2³¹ − 1 (spec 5). */
export const PositiveInt = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }, { message: "must be a whole number from 1 to 2147483647" }),
);

/** A rule that JSON Schema cannot state. The schema keeps its description, which the library drops otherwise. */
export const rule = <T>(fault: (value: T) => Schema.FilterOutput) =>
  Schema.makeFilter(fault, { toJsonSchema: () => [{}, true] });

const isWellFormed = rule((text: string) =>
  text.isWellFormed() && !text.includes("\0") ? undefined : "must be well-formed text",
);

/** Text that can be stored, signed and sent anywhere: well-formed Unicode without NUL. */
export const Text = Schema.String.check(isWellFormed);

/** Text that is a time; the use case reads it. */
export const TimeText = Schema.String.annotate({ format: "date-time" }).check(isWellFormed);

/** Text that is not empty and at most this many characters long. */
export const textUpTo = (characters: number) =>
  Text.check(
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(characters, { message: `must be at most ${characters} characters` }),
  );

/** A switch in a query. */
export const Flag = Schema.Literals(["true", "false"]);
