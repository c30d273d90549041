import type { Cluster } from "./Cluster.ts";
import type { Script } from "./Script.ts";

/** A part of the simulated world: users, other mail clients or the environment. */
export interface WorldPart {
  /** Prepares the serving cluster before any fault. */
  readonly prepare?: (cluster: Cluster) => void;
  /** Adds its acts to the script. */
  readonly write: (script: Script) => void;
  /** Ends conditions that would otherwise last for ever; called once the faults have ended. */
  readonly recover?: (cluster: Cluster) => void;
}
