import { Schema } from "effect";

/** `ok` of every success (spec 2.1). */
export const Ok = Schema.Literal(true).annotate({ description: "Always true in a success." });

/** The cursor of lists that have one page only. */
export const NoCursor = Schema.Null.annotate({ description: "Always null: the list has one page." });

/** A non-negative integer. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** A point in time: ISO 8601, UTC, with milliseconds. */
export const Instant = Schema.String.annotate({ format: "date-time" });

/** A page number or size: a whole number from 1 to 2³¹ − 1 (spec 5). */
export const PositiveInt = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }, { message: "must be a whole number from 1 to 2147483647" }),
);

/** Returns a check that JSON Schema cannot express; keeps the schema's description, which the library would drop. */
export const rule = <T>(fault: (value: T) => Schema.FilterOutput) =>
  Schema.makeFilter(fault, { toJsonSchema: () => [{}, true] });

const isWellFormed = rule((text: string) =>
  text.isWellFormed() && !text.includes("\0") ? undefined : "must be well-formed text",
);

/** Text that can be stored, signed and sent anywhere: well-formed Unicode without NUL. */
export const Text = Schema.String.check(isWellFormed);

/** A point in time as text, parsed by the use case. */
export const TimeText = Schema.String.annotate({ format: "date-time" }).check(isWellFormed);

/** A time with its zone, ISO 8601. */
export const Moment = Schema.String.annotate({ format: "date-time" }).check(
  rule((text) =>
    ISO_8601.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : "must be a time such as 2026-01-02T03:04:05Z",
  ),
);
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Returns a schema of non-empty text with up to this many characters. */
export const textUpTo = (characters: number) =>
  Text.check(
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(characters, { message: `must be at most ${characters} characters` }),
  );

/** A boolean in a query: `true` or `false`. */
export const Flag = Schema.Literals(["true", "false"]);
