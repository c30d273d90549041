import type { Email } from "./emails.ts";

/**
 * Messages by their arrival, newest first, folder by folder in the order the folders came. A mail server numbers a
 * message that is moved back as if it were new; its arrival stays what it was.
 */
export const byArrival = (emails: ReadonlyArray<Email>): ReadonlyArray<Email> => {
  const folders = Map.groupBy(emails, ({ folder }) => folder);
  return [...folders.values()].flatMap((some) =>
    some.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)),
  );
};
