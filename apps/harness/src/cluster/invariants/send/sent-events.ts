import { OutgoingJournal } from "@postern/core/send";
import { Context } from "effect";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";

/** Each sent message has exactly one `email.sent`; other messages have none. */
export const sentEvents: Invariant = {
  name: "sent-events",
  watch: (cluster) => ({
    quiet: () => {
      for (const account of USERS) {
        const told = Map.groupBy(eventsOf(cluster, account, "email.sent"), (event) => dataOf(event, "messageId"));
        const entries = cluster.ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
        );
        for (const { message } of entries) {
          if (message.kind === "notice") continue;
          const count = told.get(message.messageId)?.length ?? 0;
          const wanted = message.recipients.some(({ state }) => state === "sent") ? 1 : 0;
          if (count !== wanted) cluster.violate("sent-events", `${count} email.sent of ${message.subject}`);
        }
      }
    },
  }),
};
