import type { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";

/** A check of what a client was promised, this many milliseconds after it began. */
export type Deadline = readonly [after: number, check: Effect.Effect<unknown, unknown>];

/** Makes the requests of a client; returns the later checks of their promises. */
export type Deadlines = (visit: Visit, cluster: Cluster) => Effect.Effect<ReadonlyArray<Deadline>, unknown>;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
