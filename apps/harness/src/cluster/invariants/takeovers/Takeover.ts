import type { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";
import type { StopPoint } from "./StopPoint.ts";

/** A request whose node stops at a certain point, and the promise about the rest, which other nodes take over. */
export type Takeover = (visit: Visit, cluster: Cluster, stop: StopPoint) => Effect.Effect<void, unknown>;
