import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { type Email, emailsRead } from "../../mail/emails/emails.ts";
import type { Person } from "./recipients.ts";

const STALE_MILLIS = 600_000;
const MAX_READ = 100;

/** Returns the people in listed mail, each once, those to whom the user wrote most often first. */
export const peopleOf = (sent: ReadonlyArray<Email>, received: ReadonlyArray<Email>): ReadonlyArray<Person> => {
  const people = new Map<string, { person: Person; weight: number }>();
  const see = (person: Person, weight: number): void => {
    const key = person.address.toLowerCase();
    if (!person.address.includes("@")) return;
    const known = people.get(key);
    const isBetter = known !== undefined && known.person.name === "" && person.name !== "";
    people.set(key, {
      person: known === undefined || isBetter ? person : known.person,
      weight: (known?.weight ?? 0) + weight,
    });
  };
  for (const { to, cc } of sent) for (const person of [...to, ...cc]) see(person, 3);
  for (const { from, fromName } of received) see({ name: fromName, address: from }, 1);
  return [...people.values()].toSorted((one, other) => other.weight - one.weight).map(({ person }) => person);
};

const listed = async (folder: string, signal: AbortSignal): Promise<ReadonlyArray<Email>> =>
  (await api("GET /api/inbox", { query: { folder, limit: MAX_READ, preview: false }, signal }).catch(() => null))
    ?.emails ?? [];

/** The people in the newest mail of Sent and Inbox, and in the mail that the user has listed, for the completion of recipients. */
export const usePeopleSeen = (): ReadonlyArray<Person> =>
  useQuery({
    queryKey: ["people"],
    queryFn: async ({ signal }) => {
      const [sent, inbox] = await Promise.all([listed("sent", signal), listed("inbox", signal)]);
      return peopleOf(sent, [...inbox, ...emailsRead()]);
    },
    staleTime: STALE_MILLIS,
  }).data ?? [];
