import { factsOf } from "../../Fact.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";

/** A browser that follows an account gets every event from its first connection on, once and in order. [S7.9-3] */
export const liveEvents: Invariant = {
  name: "live-events",
  watch: (cluster) => ({
    quiet: () => {
      const { facts } = cluster;
      for (const { follower, account, id } of factsOf(facts, "FollowBegan")) {
        const all = eventsOf(cluster, account).map((event) => event.id);
        const began = /^\d+$/.test(id) ? Number(id) : all.indexOf(id) + 1;
        const due = all.slice(began);
        const seen = factsOf(facts, "EventSeen").flatMap((fact) => (fact.follower === follower ? [fact.id] : []));
        const wrong = due.findIndex((one, n) => one !== seen[n]);
        if (wrong >= 0) cluster.violate("live-events", `${follower} got ${seen[wrong]} instead of ${due[wrong]}`);
        else if (seen.length > due.length) cluster.violate("live-events", `${follower} got ${seen[due.length]} again`);
        if (factsOf(facts, "GapSeen").some((fact) => fact.follower === follower)) {
          cluster.violate("live-events", `${follower} was told of a gap`);
        }
      }
    },
  }),
};
