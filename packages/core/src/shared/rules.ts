import { DateTime, Option, Schema } from "effect";

/** Returns a check that JSON Schema cannot express; keeps the schema's description, which the library would drop. */
export const rule = <T>(fault: (value: T) => Schema.FilterOutput) =>
  Schema.makeFilter(fault, { toJsonSchema: () => [{}, true] });

const isWellFormed = rule((text: string) =>
  text.isWellFormed() && !text.includes("\0") ? undefined : "must be well-formed text",
);

/** Text that every store, signature and protocol accepts: well-formed Unicode without NUL. */
export const Text = Schema.String.check(isWellFormed);

/** A point in time as text, parsed by the use case. */
export const TimeText = Schema.String.annotate({ format: "date-time" }).check(isWellFormed);

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A time with its zone in ISO 8601. */
export const Moment = Schema.String.annotate({ format: "date-time" }).check(
  rule((text) => (isMoment(text) ? undefined : "must be a time such as 2026-01-02T03:04:05Z")),
);

/** Returns whether a text is a moment in ISO 8601. */
export const isMoment = (text: string): boolean => ISO_8601.test(text) && Option.isSome(DateTime.make(text));

/** Returns whether a text is a day of the calendar in the form `YYYY-MM-DD`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  Option.exists(DateTime.make(text), (day) => DateTime.formatIsoDateUtc(day) === text);

/** Returns a moment in epoch milliseconds. */
export const millisOf = (moment: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(moment));

/** Returns a check that a text has at most this many characters. */
export const charsUpTo = (characters: number) =>
  Schema.isMaxLength(characters, { message: `must be at most ${characters} characters` });

/** Returns a schema of non-empty text with up to this many characters. */
export const textUpTo = (characters: number) =>
  Text.check(Schema.isMinLength(1, { message: "must not be empty" }), charsUpTo(characters));

/** The maximum length of an e-mail address. */
export const MAX_ADDRESS_CHARS = 320;

/** The text of an e-mail address, which the use case parses. */
export const AddressText = textUpTo(MAX_ADDRESS_CHARS);

/** Returns a check that a list has at least one entry, and at most this many. */
export const entriesUpTo = (most: number, what: string) =>
  [
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(most, { message: `must have at most ${most} ${what}` }),
  ] as const;

/** An id in a request; no record has a longer id. */
export const RecordId = textUpTo(128);

/** An id that another system generated, or that encodes the location of its record. */
export const LongId = textUpTo(256);

/** A non-negative integer. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** Returns a schema of whole numbers in a range. */
export const wholeBetween = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be a whole number from ${minimum} to ${maximum}` }),
  );

/** The maximum number of entries on a page of a list (spec 2.8). */
export const MAX_PAGE_ENTRIES = 200;

/** The rules of a requested page of a list (spec 2.8). */
export const pageFields = {
  cursor: textUpTo(300).check(
    rule((text) => (/^-?\d{1,15}\../s.test(text) ? undefined : "must be `nextCursor` of an answer")),
  ),
  limit: wholeBetween(1, MAX_PAGE_ENTRIES),
};

/** A page number or size: a whole number from 1 to 2³¹ − 1 (spec 5). */
export const PositiveInt = wholeBetween(1, 2 ** 31 - 1);
