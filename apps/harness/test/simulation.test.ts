import { describe, expect, it } from "vitest";
import { runSeed } from "../src/cluster/run-seed.ts";
import { seedOptions } from "../src/cluster/seed-options.ts";
import { allPlants } from "../src/cluster/plants/all-plants.ts";

/** Returns the trace of a seed. */
const traced = (seed: number) => {
  const lines: Array<string> = [];
  runSeed({ ...seedOptions(seed, 3, undefined), write: (line) => void lines.push(line) });
  return lines.join("\n");
};

describe("a simulated cluster", () => {
  it("gives the same trace for the same seed", () => {
    const first = traced(42);
    expect(traced(42)).toBe(first);
    expect(traced(43)).not.toBe(first);
  });

  it.each([
    [2, "a watch without a reason that ends keeps no node busy"],
    [12, "a worker that claims its own row again stops the earlier item"],
    [58, "a claim whose answer was lost is noticed when its lease expires"],
  ])("holds in seed %i: %s", (seed) => {
    expect(runSeed(seedOptions(seed, 3, undefined)).violations).toEqual([]);
  });

  it.each([
    ["sent-copy-dropped", "sending:"],
    ["rotated-token-not-stored", "grants:"],
  ])("finds the planted bug %s", (planted, invariant) => {
    const plant = allPlants.find(({ name }) => name === planted)!;
    const { violations } = runSeed({ ...seedOptions(1, 3, undefined), plant });
    expect(violations.filter((violation) => violation.startsWith(invariant))).not.toEqual([]);
  });
});
