import type { Lease } from "@postern/core/shared";
import type { ClaimedDelivery, Delivery } from "@postern/core/webhooks";
import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";

/** How long work may lie that no node holds, once every node and server works, in milliseconds. */
const BOUND = 8_000;
/** How long the faults have to be over: calls hang so long, unless all nodes were started again. In milliseconds. */
const CALM = 20_000;
const RESTARTED = 2_000;

/** What a node that ended left is taken over within a bound once its lease ended. [S9.3-3] */
export const promptness: Invariant = {
  name: "promptness",
  watch: (cluster) => {
    const ends = new Map<string, number>();
    let faultyUntil = 0;
    return {
      answered: ({ port, method, args, answer }) => {
        if (cluster.faults.isOn) faultyUntil = cluster.timeline.now;
        if (port !== "DeliveryQueue") return;
        if (method === "claim") {
          for (const { delivery } of answer as ReadonlyArray<ClaimedDelivery>) {
            ends.set(delivery.id, (args[1] as Lease).until);
          }
        }
        if (method === "renew") for (const id of answer as ReadonlySet<string>) ends.set(id, (args[1] as Lease).until);
        if (method !== "reap") return;
        for (const { id } of answer as ReadonlyArray<Delivery>) {
          const calmAfter = factsOf(cluster.facts, "AllEnded").length > 0 ? RESTARTED : CALM;
          const late = cluster.timeline.now - Math.max(ends.get(id) ?? Infinity, faultyUntil + calmAfter);
          if (late > BOUND) cluster.violate("promptness", `${id} lies for ${late} ms after its lease ended`);
        }
      },
    };
  },
};
