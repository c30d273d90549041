import { type Contact, Contacts } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";

/** A person as the mail in Sent names it. */
interface Person {
  readonly address: string;
  /** The names in the newest mail that has any. */
  names: ReadonlyArray<string>;
  namedAt: number;
  at: number;
  forgottenAt: number | null;
  id: string | null;
}

/** Returns the people to whom an account wrote, with a model of what is promised about them. [S12.5-1] [S12.5-2] [S12.5-3] */
export const walkedContacts = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const { random } = cluster;
  const people = new Map<string, Person>();
  const read = new Set<unknown>();
  const ask = <A, E>(name: string, use: (all: Contacts["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => use(Context.get(services, Contacts)));
  const sent = () => cluster.mail.account(account).mailbox("Sent");

  /** Reads the mail in Sent that was not read before. */
  const observe = () => {
    for (const message of sent().messages) {
      if (read.has(message)) continue;
      read.add(message);
      const { summary, arrivedAt: at } = message;
      for (const { name, address } of [...summary.to, ...summary.cc]) {
        const key = address.toLowerCase();
        const known = people.get(key);
        if (known === undefined) {
          const names = name === "" ? [] : [name];
          people.set(key, { address: key, names, namedAt: name === "" ? 0 : at, at, forgottenAt: null, id: null });
          continue;
        }
        // Mail from before the removal does not return a person.
        if (known.forgottenAt !== null && at <= known.forgottenAt) continue;
        const isNewest = at > known.at;
        known.forgottenAt = null;
        known.at = Math.max(known.at, at);
        if (name === "" || at < known.namedAt) continue;
        // Of a name that is found late, the specification does not say whether it replaces an earlier one.
        known.names = isNewest ? [name] : [...new Set([...known.names, name])];
        known.namedAt = at;
      }
    }
  };
  const listed = () => [...people.values()].filter(({ forgottenAt }) => forgottenAt === null);

  return {
    account,
    people,
    sent,
    listed,
    ask,
    /** Compares a search with the model, by pages of a random size. */
    compare: Effect.gen(function* () {
      observe();
      const query = random.pick([undefined, undefined, "far", "P1", "person 2", "@OTHER.", "nobody", "1@far.test"]);
      const limit = random.pick([undefined, 1, 2, 3, 200]);
      const found: Array<Contact> = [];
      for (let cursor: string | undefined; ;) {
        const page = yield* ask("search", (all) => all.search(account, { query, limit, cursor }));
        visit.expect(page.items.length <= (limit ?? 20), "a page has more people than its limit");
        found.push(...page.items);
        if (page.nextCursor === null) break;
        visit.expect(page.items.length > 0, "an empty page names a next page");
        cursor = page.nextCursor;
      }
      const text = (query ?? "").toLowerCase();
      // Until a name is found, the person may be found by any of the names that are equally new.
      const isSure = ({ names }: Person) => names.length < 2;
      const matches = ({ address, names }: Person) =>
        address.includes(text) || names.some((name) => name.toLowerCase().includes(text));
      const promised = listed().filter(matches);
      const shown = new Map(found.map((one) => [one.address.toLowerCase(), one]));
      visit.same(shown.size, found.length, "the people, each listed once");
      for (const [address] of shown)
        visit.expect(
          promised.some((one) => one.address === address),
          `${address} is found by ${query}`,
        );
      for (const one of promised) {
        const is = shown.get(one.address);
        if (is === undefined) {
          visit.expect(!isSure(one), `${one.address} is not found by ${query}`);
          continue;
        }
        visit.same(is.lastWrittenAt, one.at, `when ${account} last wrote to ${one.address}`);
        visit.expect(
          one.names.length === 0 ? is.name === "" : one.names.includes(is.name),
          `${one.address} is called ${is.name}, not ${one.names.join(" or ")}`,
        );
        visit.same(is.id, one.id ?? is.id, `the id of ${one.address}`);
        one.id = is.id;
      }
      const order = found.map(({ lastWrittenAt }) => lastWrittenAt);
      visit.same(
        order,
        order.toSorted((one, other) => other - one),
        "the order of the people, written to last first",
      );
    }),
  };
};
export type WalkedContacts = ReturnType<typeof walkedContacts>;
