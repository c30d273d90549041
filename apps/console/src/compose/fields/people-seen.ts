import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { type Email, emailsRead } from "../../mail/emails/emails.ts";
import type { Person } from "./recipients.ts";

const STALE_MILLIS = 600_000;
const MAX_READ = 100;

/** Returns the senders of mail, each once, ordered by number of messages. */
export const peopleOf = (received: ReadonlyArray<Email>): ReadonlyArray<Person> => {
  const people = new Map<string, { person: Person; count: number }>();
  for (const { from, fromName } of received) {
    if (!from.includes("@")) continue;
    const known = people.get(from.toLowerCase());
    const isBetter = known === undefined || (known.person.name === "" && fromName !== "");
    const person = isBetter ? { name: fromName, address: from } : known.person;
    people.set(from.toLowerCase(), { person, count: (known?.count ?? 0) + 1 });
  }
  return [...people.values()].toSorted((one, other) => other.count - one.count).map(({ person }) => person);
};

/** The senders of the newest mail in Inbox and of all listed mail, for the completion of recipients. */
export const usePeopleSeen = (): ReadonlyArray<Person> =>
  useQuery({
    queryKey: ["people"],
    queryFn: async ({ signal }) => {
      const query = { folder: "inbox", limit: MAX_READ, preview: false };
      const inbox = await api("GET /api/inbox", { query, signal }).catch(() => null);
      return peopleOf([...(inbox?.emails ?? []), ...emailsRead()]);
    },
    staleTime: STALE_MILLIS,
  }).data ?? [];
