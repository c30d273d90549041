import { Cause, Formatter, Logger, Predicate, References } from "effect";

/** The fields of every line, which fields of a message with the same names do not replace. */
type Line = Record<string, unknown>;

/** Returns the fields of a line: `time`, `level`, `message`, then the annotations of the message and its fiber. */
export const lineOf = ({ cause, date, fiber, logLevel, message }: Logger.Options<unknown>): Line => {
  const parts = Array.isArray(message) ? message : [message];
  const texts: Array<string> = [];
  const fields: Line = { ...fiber.getRef(References.CurrentLogAnnotations) };
  for (const part of parts) {
    if (isFields(part)) Object.assign(fields, part);
    else texts.push(typeof part === "string" ? part : Formatter.format(part));
  }
  const line: Line = { time: date.toISOString(), level: logLevel.toUpperCase(), message: texts.join(" ") };
  for (const [name, value] of Object.entries(fields)) if (!(name in line)) line[name] = value;
  if (cause.reasons.length > 0) line["cause"] = Cause.pretty(cause);
  return line;
};

/**
 * Formats a log line as one JSON object with all fields at the top level: `time`, `level`, `message`, then the
 * annotations of the message and its fiber (`requestId`, `account`, …), and `cause` of a failure. Log collectors can
 * index such lines without special rules.
 */
export const flatJson = Logger.make((options) => Formatter.formatJson(lineOf(options)));

/** Returns the fields of a log argument that is a record; an error becomes text. */
const isFields = (part: unknown): part is Line =>
  Predicate.isObject(part) && Object.getPrototypeOf(part) === Object.prototype;
