import { OutgoingJournal } from "@postern/core/send";
import { Context } from "effect";
import { factsOf } from "../../Fact.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";
import { unreadArrivals } from "./unread-arrivals.ts";

/**
 * Reports that arrived and stayed cause one `email.bounced` for each message and recipient that they name, regardless
 * of the number of reports; a forged report causes none. [S9.5-6]
 */
export const bounces: Invariant = {
  name: "bounces",
  watch: (cluster) => ({
    quiet: () => {
      const violate = (detail: string) => cluster.violate("bounces", detail);
      for (const account of USERS) {
        const entries = cluster.ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
        );
        const envelopeIds = new Map(entries.map(({ message }) => [message.messageId, message.id]));
        const told = Map.groupBy(eventsOf(cluster, account, "email.bounced"), (event) => {
          const messageId = dataOf(event, "messageId") as string;
          return `${envelopeIds.get(messageId)} for ${String(dataOf(event, "recipient"))}`;
        });
        const reports = factsOf(cluster.facts, "ReportArrived").filter((fact) => fact.account === account);
        const unread = unreadArrivals(cluster, account);
        const expected = new Set<string>();
        const reported = new Set<string>();
        for (const { envelopeId, recipient, messageId, isForged } of reports) {
          if (isForged) continue;
          const one = `${envelopeId} for ${recipient}`;
          reported.add(one);
          if (!unread.has(messageId)) expected.add(one);
        }
        for (const [one, events] of told) {
          if (!reported.has(one) && dataOf(events[0]!, "source") === "dsn") violate(`${one} bounced without a report`);
          if (events.length > 1) violate(`${one} bounced ${events.length} times`);
        }
        for (const one of expected) if (!told.has(one)) violate(`the report on ${one} was overlooked`);
      }
    },
  }),
};
