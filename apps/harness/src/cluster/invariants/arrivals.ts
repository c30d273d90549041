import { factsOf } from "../Fact.ts";
import { dataOf, eventsOf } from "../events-of.ts";
import type { Invariant } from "../Invariant.ts";
import { USERS } from "../world/accounts.ts";

/**
 * Each message that arrived and stayed has exactly one `email.received`; a message from before the watch has none, and
 * none is announced twice.
 */
export const arrivals: Invariant = {
  name: "arrivals",
  watch: (cluster) => ({
    quiet: () => {
      const { facts } = cluster;
      for (const account of USERS) {
        const of = (fact: { readonly account: string }) => fact.account === account;
        const ids = (some: ReadonlyArray<{ readonly account: string; readonly messageId: string }>) =>
          new Set(some.filter(of).map(({ messageId }) => messageId));
        const recreated = factsOf(facts, "InboxRecreated").findLast(of)?.at ?? 0;
        const overlooked = factsOf(facts, "MailArrived").filter(({ at }) => at <= recreated);
        const left = ids([...factsOf(facts, "MailTaken"), ...overlooked]);
        const announced = Map.groupBy(eventsOf(cluster, account, "email.received"), (event) =>
          dataOf(event, "messageId"),
        );
        for (const messageId of ids(factsOf(facts, "MailPresent"))) {
          if (announced.has(messageId)) cluster.violate("arrivals", `${messageId} was there before the watch`);
        }
        for (const messageId of ids(factsOf(facts, "MailArrived"))) {
          const count = announced.get(messageId)?.length ?? 0;
          if (count > 1) cluster.violate("arrivals", `${messageId} is announced ${count} times`);
          if (count === 0 && !left.has(messageId)) cluster.violate("arrivals", `${messageId} is not announced`);
        }
      }
    },
  }),
};
