import type { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";
import type { StopPoint } from "./StopPoint.ts";

/** A request whose node stops at a certain point, and a check that other nodes finish its work as promised. */
export type Takeover = (visit: Visit, cluster: Cluster, stop: StopPoint) => Effect.Effect<void, unknown>;
