import type { Email } from "./emails.ts";

/**
 * Sorts messages by arrival, newest first. The server's order cannot be used, because a message that is moved back gets a
 * new UID but keeps its time of arrival.
 */
export const byArrival = (emails: ReadonlyArray<Email>): ReadonlyArray<Email> =>
  emails.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
