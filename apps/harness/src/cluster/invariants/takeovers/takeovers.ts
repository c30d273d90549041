import { Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { draftSent, saveCompleted, saveRefused } from "./taken-drafts.ts";
import { copyStored, dotDue } from "./taken-messages.ts";
import { deliveryClaimed, leaseRenewed } from "./taken-posts.ts";
import { removalBegun } from "./taken-removal.ts";
import type { Takeover } from "./Takeover.ts";
import { StopPoint } from "./StopPoint.ts";

const TAKEOVERS: ReadonlyArray<Takeover> = [
  copyStored,
  dotDue,
  saveCompleted,
  saveRefused,
  draftSent,
  deliveryClaimed,
  leaseRenewed,
  removalBegun,
];

/**
 * A node stops between an effect and its record, and other nodes finish its work. The faults of a seed stop nodes at
 * random points, and therefore rarely at these. Here each seed stops a node at one of these points. With a single node,
 * no other node can take over.
 */
export const takeovers: Invariant = {
  name: "takeovers",
  watch: (cluster) => {
    const stop = new StopPoint(cluster);
    return {
      answered: (call) => stop.see(call),
      alone: (visit) => (cluster.size < 2 ? Effect.void : cluster.random.pick(TAKEOVERS)!(visit, cluster, stop)),
    };
  },
};
