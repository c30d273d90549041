import type { AccountId } from "@postern/core/shared";
import { factsOf } from "../../Fact.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";
import { unreadArrivals } from "./unread-arrivals.ts";

/**
 * Each message that arrived and stayed has exactly one `email.received`; a message from before the watch, or one that
 * its user moved into INBOX, has none. No message is announced twice. [S7.3-1] [S7.3-3]
 */
export const arrivals: Invariant = {
  name: "arrivals",
  watch: (cluster) => ({
    quiet: () => {
      const { facts } = cluster;
      for (const account of USERS) {
        const ids = (some: ReadonlyArray<{ readonly account: AccountId; readonly messageId: string }>) =>
          new Set(some.flatMap((fact) => (fact.account === account ? [fact.messageId] : [])));
        const left = unreadArrivals(cluster, account);
        const announced = Map.groupBy(eventsOf(cluster, account, "email.received"), (event) =>
          dataOf(event, "messageId"),
        );
        for (const messageId of ids(factsOf(facts, "MailPresent"))) {
          if (announced.has(messageId)) cluster.violate("arrivals", `${messageId} was there before the watch`);
        }
        for (const messageId of ids(factsOf(facts, "MailFiled"))) {
          if (announced.has(messageId)) cluster.violate("arrivals", `${messageId} was moved into INBOX by its user`);
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
