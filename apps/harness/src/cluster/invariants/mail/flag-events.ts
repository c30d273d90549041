import { labelsOf } from "@postern/core/mail";
import { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/** The maximum time until an event is delivered, in milliseconds. */
const SOON = 6_000;
const ROUNDS = 6;
const FLAGS = ["\\Seen", "\\Flagged", "\\Answered", "work", "travel"];

/**
 * Each change of a message's flags and labels by another client has one event, which names exactly the flags that were
 * set or removed, and gives the new state of the message. [S5.5-6] [S7.3-1]
 */
export const flagEvents: Invariant = {
  name: "flag-events",
  watch: (cluster) => ({ calm: (visit) => changeFlags(visit, cluster) }),
};

const changeFlags = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("flagged");
    const { create, arrive } = ownerOf(visit, cluster, account);
    yield* create("https://visit.sim.test/flagged");
    arrive();
    yield* visit.within(SOON, "an arrival is not announced", () => eventsOf(cluster, account).length > 0);
    const [message] = cluster.mail.account(account).mailbox("INBOX").messages;
    const told = () => eventsOf(cluster, account, "email.flags_changed");
    let count = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const before = new Set(message!.flags);
      // The last round removes all flags.
      const after = new Set(round === ROUNDS - 1 ? [] : FLAGS.filter(() => cluster.random.chance(0.5)));
      const changed = FLAGS.filter((flag) => before.has(flag) !== after.has(flag));
      message!.flags = after;
      if (changed.length > 0) count++;
      const isTold = () => told().length >= count;
      yield* visit.within(SOON, `a change of ${changed.join(", ")} is not announced`, isTold);
      const event = told().at(-1);
      if (changed.length === 0 || event === undefined) continue;
      visit.same(
        (dataOf(event, "changed") as Array<string>).toSorted(),
        changed.map(nameOf).toSorted(),
        "what changed",
      );
      visit.same(
        [...["unread", "flagged", "answered"].map((field) => dataOf(event, field)), dataOf(event, "labels")],
        [!after.has("\\Seen"), after.has("\\Flagged"), after.has("\\Answered"), labelsOf(after)],
        "the flags that are announced",
      );
    }
    visit.same(told().length, count, "the events about changed flags");
  });

const nameOf = (flag: string): string => {
  if (!flag.startsWith("\\")) return `label:${flag}`;
  return flag === "\\Seen" ? "unread" : flag.slice(1).toLowerCase();
};
