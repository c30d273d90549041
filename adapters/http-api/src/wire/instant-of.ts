/** Returns epoch milliseconds as ISO 8601 in UTC; times outside the notation's range become its nearest limit. */
export const instantOf = (millis: number): string =>
  new Date(Math.min(Math.max(millis, EARLIEST), LATEST)).toISOString();

const EARLIEST = Date.UTC(0, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
