/** Returns epoch milliseconds as ISO 8601 in UTC; times outside the notation's range become its nearest limit. */
export const instantOf = (millis: number): string =>
  new Date(Math.min(Math.max(millis, EARLIEST), LATEST)).toISOString();

const EARLIEST = Date.UTC(0, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const instantOrNull = (millis: number | null) => (millis === null ? null : instantOf(millis));

/** A record whose times (the fields named `…At`) are instants. */
type WithInstants<R> = {
  readonly [F in keyof R]: F extends `${string}At` ? string | Extract<R[F], null> : R[F];
};

/** Returns a record with its times as instants. The encoding omits fields that the answer's schema does not name. */
export const withInstants = <R extends object>(record: R): WithInstants<R> =>
  Object.fromEntries(
    Object.entries(record as Readonly<Record<string, unknown>>).map(([name, value]) => [
      name,
      name.endsWith("At") && typeof value === "number" ? instantOf(value) : value,
    ]),
  ) as WithInstants<R>;
