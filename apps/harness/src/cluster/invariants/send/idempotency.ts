import { OutgoingJournal } from "@postern/core/send";
import { Context } from "effect";
import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";

/**
 * Each `Idempotency-Key` has one message and one answer; a request that was not repeated also has one message. [S6.5-2]
 */
export const idempotency: Invariant = {
  name: "idempotency",
  watch: (cluster) => ({
    quiet: () => {
      const violate = (detail: string) => cluster.violate("idempotency", detail);
      const answers = factsOf(cluster.facts, "SendAccepted").filter(({ key }) => key !== undefined);
      for (const [key, some] of Map.groupBy(answers, ({ account, key }) => `${account} ${key}`)) {
        const ids = new Set(some.map(({ id }) => id));
        if (ids.size > 1) violate(`${key} was answered with ${ids.size} messages`);
      }
      for (const account of USERS) {
        const entries = cluster.ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
        );
        // A draft that became editable again may be sent again, see the invariant `drafts`.
        const own = entries.filter(({ message }) => message.kind !== "notice" && !message.subject.startsWith("draft "));
        for (const [subject, some] of Map.groupBy(own, ({ message }) => message.subject)) {
          if (some.length > 1) violate(`${subject} is ${some.length} messages`);
        }
      }
    },
  }),
};
