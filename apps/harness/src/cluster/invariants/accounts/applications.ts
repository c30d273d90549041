import { EventLedger } from "@postern/core/events";
import { DeliveryLog, Endpoints, isHeld } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";
import { APPLICATION } from "../../world/applications.ts";

/** The maximum duration of an attempt that began before a pause, in milliseconds. */
const LAST_ATTEMPT = 120_000;
/** A time longer than a request takes whose node is paused meanwhile, in milliseconds. */
const LONGEST_REQUEST = 120_000;

/**
 * The removal of an account is reported to its application, unless the last retry of that event failed; a paused
 * account sends nothing. An endpoint that failed for hours is disabled.
 */
export const applications: Invariant = {
  name: "applications",
  watch: (cluster) => {
    /** The times at which accounts were removed. An account that is added again is not paused. */
    const removed = new Map<string, ReadonlyArray<number>>();
    return {
      answered: ({ port, method, args }) => {
        if (port === "AccountErasures" && method === "begin") {
          const account = String(args[0]);
          removed.set(account, [...(removed.get(account) ?? []), cluster.timeline.now]);
        }
      },
      quiet: () => {
        const [logged, ended] = cluster.ask((ports) =>
          Effect.gen(function* () {
            const [endpoint] = yield* Context.get(ports, Endpoints).list(APPLICATION);
            if (endpoint === undefined) return [[], []] as const;
            const log = yield* Context.get(ports, DeliveryLog).page(endpoint, { type: "account.removed" }, 1_000_000);
            const some = log.filter(({ delivery }) => delivery.state === "exhausted" || isHeld(delivery, endpoint));
            return [log, yield* Context.get(ports, EventLedger).find(some.map(({ delivery }) => delivery.eventId))];
          }),
        );
        const events = new Set(logged.map(({ delivery }) => delivery.eventId));
        const posts = cluster.receivers.posts.filter(({ eventId }) => events.has(eventId)).map(({ post }) => post);
        const bodies = [...posts, ...ended].map(({ body }) => new TextDecoder().decode(body));
        for (const { account } of factsOf(cluster.facts, "AccountRemoved")) {
          if (!removed.has(account)) cluster.violate("applications", `${account} was removed without an erasure`);
          if (!bodies.some((body) => body.includes(account))) {
            cluster.violate("applications", `the removal of ${account} did not reach its application`);
          }
        }
        for (const { account, at } of factsOf(cluster.facts, "AccountPaused")) {
          // What was requested shortly before the answer to the pause may have taken effect after the pause.
          const resumed = factsOf(cluster.facts, "ResumeAsked").find(
            (fact) => fact.account === account && fact.at >= at - LONGEST_REQUEST,
          );
          const later = removed.get(account)?.filter((time) => time >= at) ?? [];
          const until = Math.min(resumed?.at ?? Infinity, ...later);
          const sent = cluster.smtp.taken.filter((one) => one.from === account);
          if (sent.some((one) => one.at > at + LAST_ATTEMPT && one.at < until)) {
            cluster.violate("applications", `${account} sent while it was paused`);
          }
        }
      },
    };
  },
};
