import type { Effect } from "effect";
import type { Cluster } from "./Cluster.ts";
import type { AnsweredCall, PortCall } from "./faults/PortCall.ts";
import type { Visit } from "./Visit.ts";

/** A property that must hold in every seed. Violations are reported by `Cluster.violate`. */
export interface Invariant {
  readonly name: string;
  /** Begins the observation of a seed. */
  readonly watch: (cluster: Cluster) => {
    /** Called with each call of a node to a port, before any fault. */
    readonly called?: (call: PortCall) => void;
    /** Called after each call of a node to a port that took effect. */
    readonly answered?: (call: AnsweredCall) => void;
    /** Checks the answers to a client after the faults have ended, while some work is still pending. */
    readonly calm?: (visit: Visit) => Effect.Effect<void, unknown>;
    /** Like `calm`, but called when nothing is due any more and the reasons of all watches have been rechecked. */
    readonly later?: (visit: Visit) => Effect.Effect<void, unknown>;
    /** Called after `later`, while no other client runs; it may stop nodes. */
    readonly alone?: (visit: Visit) => Effect.Effect<void, unknown>;
    /**
     * Checks the answers to a client that has a cluster of two nodes for itself, without faults. The client may let time
     * jump and stop nodes, so it costs little to check what happens after days or weeks.
     */
    readonly apart?: (visit: Visit, cluster: Cluster) => Effect.Effect<void, unknown>;
    /** Called when the faults are over and nothing is due any more. */
    readonly quiet?: () => void;
    /** Called after every retention period has passed. */
    readonly aged?: () => void;
    /** Called after all nodes have stopped. */
    readonly stopped?: () => void;
  };
}
