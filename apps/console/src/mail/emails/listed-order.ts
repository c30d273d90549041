import type { Email } from "./emails.ts";

/**
 * Sorts messages by arrival, newest first, within each folder; the order of the folders is kept. The server's order
 * cannot be used, because a message that is moved back gets a new UID but keeps its time of arrival.
 */
export const byArrival = (emails: ReadonlyArray<Email>): ReadonlyArray<Email> => {
  const folders = Map.groupBy(emails, ({ folder }) => folder);
  return [...folders.values()].flatMap((some) =>
    some.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)),
  );
};
