import { DeliveryLog, Endpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import { factsOf } from "../Fact.ts";
import type { Invariant } from "../Invariant.ts";
import { APPLICATION } from "../world/applications.ts";

/** How long an attempt that began before a pause may last, in milliseconds. */
const LAST_ATTEMPT = 120_000;

/** A removed account is reported to its application; a paused account sends nothing. */
export const applications: Invariant = {
  name: "applications",
  watch: (cluster) => {
    const removed = new Set<string>();
    return {
      answered: ({ port, method, args }) => {
        if (port === "AccountErasures" && method === "begin") removed.add(String(args[0]));
      },
      quiet: () => {
        const logged = cluster.ask((ports) =>
          Effect.gen(function* () {
            const [endpoint] = yield* Context.get(ports, Endpoints).list(APPLICATION);
            if (endpoint === undefined) return [];
            return yield* Context.get(ports, DeliveryLog).page(endpoint, { type: "account.removed" }, 1_000_000);
          }),
        );
        const events = new Set(logged.map(({ delivery }) => delivery.eventId));
        const bodies = cluster.receivers.posts
          .filter(({ eventId }) => events.has(eventId))
          .map(({ post }) => new TextDecoder().decode(post.body));
        for (const { account } of factsOf(cluster.facts, "AccountRemoved")) {
          if (!removed.has(account)) cluster.violate("applications", `${account} was removed without an erasure`);
          if (!bodies.some((body) => body.includes(account))) {
            cluster.violate("applications", `the removal of ${account} did not reach its application`);
          }
        }
        for (const { account, at } of factsOf(cluster.facts, "AccountPaused")) {
          const resumed = factsOf(cluster.facts, "ResumeAsked").find(
            (fact) => fact.account === account && fact.at >= at,
          );
          const until = resumed?.at ?? Infinity;
          const sent = cluster.smtp.taken.filter((one) => one.from === account);
          if (sent.some((one) => one.at > at + LAST_ATTEMPT && one.at < until)) {
            cluster.violate("applications", `${account} sent while it was paused`);
          }
        }
      },
    };
  },
};
