import type { Lease } from "@postern/core/shared";
import type { ClaimedDelivery, Delivery } from "@postern/core/webhooks";
import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";

/** The maximum wait of work without a holder once every node and server works, in milliseconds. */
const BOUND = 8_000;
/**
 * The minimum time since the end of the faults, in milliseconds: calls may hang for this time, unless all nodes were
 * restarted.
 */
const CALM_MILLIS = 20_000;
const RESTARTED = 2_000;

/** Other nodes take over the work of an ended node within a bound after its leases expired. [S9.3-3] */
export const promptness: Invariant = {
  name: "promptness",
  watch: (cluster) => {
    const ends = new Map<string, number>();
    let faultyUntil = 0;
    return {
      // While the store is unavailable, no call takes effect.
      called: () => {
        if (cluster.faults.isOn) faultyUntil = cluster.timeline.now;
      },
      answered: ({ port, method, args, answer }) => {
        if (port !== "DeliveryQueue") return;
        if (method === "claim") {
          for (const { delivery } of answer as ReadonlyArray<ClaimedDelivery>) {
            ends.set(delivery.id, (args[1] as Lease).until);
          }
        }
        if (method === "renew") for (const id of answer as ReadonlySet<string>) ends.set(id, (args[1] as Lease).until);
        if (method !== "reap") return;
        for (const { id } of answer as ReadonlyArray<Delivery>) {
          const calmAfter = factsOf(cluster.facts, "AllEnded").length > 0 ? RESTARTED : CALM_MILLIS;
          const late = cluster.timeline.now - Math.max(ends.get(id) ?? Infinity, faultyUntil + calmAfter);
          if (late > BOUND) cluster.violate("promptness", `${id} lies for ${late} ms after its lease ended`);
        }
      },
    };
  },
};
