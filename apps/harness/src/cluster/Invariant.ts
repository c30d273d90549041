import type { Effect } from "effect";
import type { Cluster } from "./Cluster.ts";
import type { AnsweredCall, PortCall } from "./faults/PortCall.ts";
import type { Visit } from "./Visit.ts";

/** What must hold in every seed. Violations are reported by `Cluster.violate`. */
export interface Invariant {
  readonly name: string;
  /** Begins to watch a seed. */
  readonly watch: (cluster: Cluster) => {
    /** Called with each call of a node to a port, before any fault. */
    readonly called?: (call: PortCall) => void;
    /** Called after each call of a node to a port that had its effect. */
    readonly answered?: (call: AnsweredCall) => void;
    /** What a client asks and is promised once the faults are over, beside the work that is left. */
    readonly calm?: (visit: Visit) => Effect.Effect<void, unknown>;
    /** The same once nothing is due any more, and the reasons of all watches have to be checked again. */
    readonly later?: (visit: Visit) => Effect.Effect<void, unknown>;
    /** Called once the faults are over and nothing is due any more. */
    readonly quiet?: () => void;
    /** Called later than anything is kept that is kept for a time. */
    readonly aged?: () => void;
    /** Called after all nodes have stopped. */
    readonly stopped?: () => void;
  };
}
