import { RETRY_LADDER } from "@postern/core/shared";
import { defaultInvariants } from "./default-invariants.ts";
import type { SeedRun } from "./run-seed.ts";
import { defaultWorld } from "./world/default-world.ts";

/** The ladder of short seeds, in milliseconds. */
const SHORT_LADDER = [1_000, 5_000, 15_000, 60_000, 360_000];
const SHORT_MILLIS = 180_000;

/** Returns how to run a seed: a few minutes of faults, or these hours with the real ladder. */
export const seedOptions = (seed: number, nodes: number, hours: number | undefined): SeedRun => ({
  seed,
  nodes,
  millis: hours === undefined ? SHORT_MILLIS : hours * 3_600_000,
  ladder: hours === undefined ? SHORT_LADDER : RETRY_LADDER,
  world: defaultWorld,
  invariants: defaultInvariants,
});
