import type { Cluster } from "./Cluster.ts";
import type { Script } from "./Script.ts";

/** A part of the acting world. */
export interface WorldPart {
  /** Prepares the cluster before any fault: the nodes serve. */
  readonly prepare?: (cluster: Cluster) => void;
  /** Writes its acts into the script. */
  readonly write: (script: Script) => void;
  /** Ends conditions that would last for ever, once the faults are over. */
  readonly recover?: (cluster: Cluster) => void;
}
