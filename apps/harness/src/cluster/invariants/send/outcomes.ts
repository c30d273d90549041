import { OutgoingJournal } from "@postern/core/send";
import { Context } from "effect";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";

/**
 * A recipient that the server refused has one `email.bounced`. A message with an unknown outcome has an `email.failed`
 * that says so, and a message that failed without a reply has an `email.failed`, too. No other message has these
 * events. [S6.3-2]
 */
export const outcomes: Invariant = {
  name: "outcomes",
  watch: (cluster) => ({
    quiet: () => {
      for (const account of USERS) {
        const entries = cluster.ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
        );
        const events = Map.groupBy(eventsOf(cluster, account), (event) => dataOf(event, "messageId"));
        for (const { message } of entries) {
          if (message.kind === "notice") continue;
          const told = events.get(message.messageId) ?? [];
          const failures = told.filter(({ type }) => type === "email.failed").map((event) => dataOf(event, "state"));
          const violate = (detail: string) => cluster.violate("outcomes", `${message.subject} ${detail}`);
          for (const { address, state, reply } of message.recipients) {
            if (state !== "failed" || reply === null) continue;
            const bounced = told.filter((one) => one.type === "email.bounced" && dataOf(one, "recipient") === address);
            if (bounced.length !== 1) violate(`has ${bounced.length} email.bounced for ${address}`);
          }
          const isUnknown = message.recipients.some(({ state }) => state === "unknown");
          const isFailed = message.recipients.some(({ state, reply }) => state === "failed" && reply === null);
          if (isUnknown !== failures.includes("unknown")) violate(`is ${isUnknown ? "" : "not "}unknown: ${failures}`);
          if (isFailed !== failures.includes("failed")) violate(`is ${isFailed ? "" : "not "}failed: ${failures}`);
        }
      }
    },
  }),
};
