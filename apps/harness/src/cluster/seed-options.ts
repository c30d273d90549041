import { RETRY_LADDER } from "@postern/core/shared";
import { defaultInvariants } from "./default-invariants.ts";
import type { SeedRun } from "./run-seed.ts";
import { SeededRandom } from "./timeline/SeededRandom.ts";
import { defaultWorld } from "./world/default-world.ts";

/** The ladder of short seeds, in milliseconds. */
const SHORT_LADDER = [1_000, 5_000, 15_000, 60_000, 360_000];
const SHORT_MILLIS = 180_000;

/** Returns the options of a seed: a few minutes of faults, or this many hours with the retry ladder of production. */
export const seedOptions = (seed: number, nodes: number, hours: number | undefined): SeedRun => ({
  seed,
  nodes,
  millis: hours === undefined ? SHORT_MILLIS : hours * 3_600_000,
  ladder: hours === undefined ? SHORT_LADDER : RETRY_LADDER,
  world: defaultWorld,
  invariants: defaultInvariants,
  comes: (invariant) => comesIn(seed, invariant),
});

/**
 * The share of the seeds in which the client of an invariant runs. Clients find bugs without faults, and therefore in
 * almost any seed.
 */
const CLIENT_SHARE = 0.4;

/**
 * Returns whether the client of an invariant runs in a seed. The result does not depend on other invariants, so that a new invariant
 * does not change the seeds of others.
 */
const comesIn = (seed: number, invariant: string): boolean => {
  const salt = [...invariant].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7);
  return new SeededRandom(Math.imul(seed, 0x9e37_79b1) ^ salt).chance(CLIENT_SHARE);
};
