import { describe, expect, it } from "vitest";
import { runSeed } from "../src/cluster/run-seed.ts";
import { seedOptions } from "../src/cluster/seed-options.ts";
import { allPlants } from "../src/cluster/plants/all-plants.ts";

/** Returns the trace of a seed without clients. The trace with clients is compared in `simulation-seeds.ci.integration.test.ts`. */
const traced = (seed: number) => {
  const lines: Array<string> = [];
  const short = { millis: 45_000, comes: () => false };
  runSeed({ ...seedOptions(seed, 3, undefined), ...short, write: (line) => void lines.push(line) });
  return lines.join("\n");
};

describe("a simulated cluster", () => {
  it("gives the same trace for the same seed", () => {
    const first = traced(42);
    expect(traced(42)).toBe(first);
    expect(traced(43)).not.toBe(first);
  });

  it.each([
    ["sent-copy-dropped", "sending:"],
    ["rotated-token-not-stored", "grants:"],
  ])("finds the planted bug %s", (planted, invariant) => {
    const plant = allPlants.find(({ name }) => name === planted)!;
    const { violations } = runSeed({ ...seedOptions(1, 3, undefined), plant, comes: () => false });
    expect(violations.filter((violation) => violation.startsWith(invariant))).not.toEqual([]);
  });
});
