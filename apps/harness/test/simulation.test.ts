import { expect, it } from "vitest";
import { runSeed } from "../src/cluster/run-seed.ts";
import { seedOptions } from "../src/cluster/seed-options.ts";

it("holds its invariants in the first seeds", () => {
  for (let seed = 1; seed <= 10; seed++) expect(runSeed(seedOptions(seed, 3, undefined)).violations).toEqual([]);
});

it("gives the same trace for the same seed", () => {
  const traced = (seed: number) => {
    const lines: Array<string> = [];
    runSeed({ ...seedOptions(seed, 3, undefined), write: (line) => void lines.push(line) });
    return lines.join("\n");
  };
  expect(traced(42)).toBe(traced(42));
  expect(traced(42)).not.toBe(traced(43));
});
