/** Epoch milliseconds as ISO 8601 UTC; times beyond what the notation holds become the nearest it does. */
export const instantOf = (millis: number): string =>
  new Date(Math.min(Math.max(millis, EARLIEST), LATEST)).toISOString();

const EARLIEST = Date.UTC(0, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
