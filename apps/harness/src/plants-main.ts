import { readFileSync, writeFileSync } from "node:fs";
import { defaultInvariants } from "./cluster/default-invariants.ts";
import { allPlants } from "./cluster/plants/all-plants.ts";
import type { Plant } from "./cluster/plants/Plant.ts";
import { runSeed } from "./cluster/run-seed.ts";
import { seedOptions } from "./cluster/seed-options.ts";

/** The page of documentation into which the tables of planted bugs are written. */
const PAGE = new URL("../../../docs/simulation.md", import.meta.url);
const BEGIN = "<!-- Written by `npm run simulate:plants`. -->";
const END = "<!-- End of the planted bugs. -->";
/** The number of seeds within which a planted bug must be found. */
const MAX_SEEDS = 2_000;

interface Found {
  readonly plant: Plant;
  readonly seed: number;
  /** The invariants that are violated in that seed. */
  readonly by: ReadonlyArray<string>;
}

const violatedBy = (seed: number, plant: Plant, without?: string): ReadonlyArray<string> => {
  const usual = seedOptions(seed, 3, undefined);
  const invariants = defaultInvariants.filter(({ name }) => name !== without);
  const { violations } = runSeed({ ...usual, invariants, plant });
  return [...new Set(violations.map((violation) => violation.slice(0, violation.indexOf(":"))))];
};

const find = (plant: Plant): Found => {
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const by = violatedBy(seed, plant);
    if (by.length > 0) return { plant, seed, by };
  }
  throw new Error(`${plant.name} is not found in ${MAX_SEEDS} seeds`);
};

/** Returns a bug that only one invariant finds, and the number of seeds that miss it without that invariant. */
const aloneFoundBy = (invariant: string, all: ReadonlyArray<Found>) => {
  const found = all.filter(({ by }) => by.length === 1 && by[0] === invariant).toSorted((a, b) => a.seed - b.seed)[0];
  if (found === undefined) return [];
  for (let seed = 1; seed <= found.seed; seed++) {
    const others = violatedBy(seed, found.plant, invariant);
    if (others.length > 0) throw new Error(`${found.plant.name} is found by ${others.join(", ")} in seed ${seed}`);
  }
  return [`| ${invariant} | ${found.plant.name} | ${found.seed} |`];
};

const found = allPlants.map((plant) => {
  const one = find(plant);
  console.log(`${one.plant.name}: seed ${one.seed}, ${one.by.join(", ")}`);
  return one;
});
const lines = [
  BEGIN,
  "",
  "| bug | | seeds needed | found by |",
  "| --- | --- | --- | --- |",
  ...found.map(({ plant, seed, by }) => `| ${plant.name} | ${plant.about} | ${seed} | ${by.join(", ")} |`),
  "",
  "Bugs that only one invariant finds: without it (`--without`) they are missed.",
  "",
  "| without | gets through | seeds |",
  "| --- | --- | --- |",
  ...defaultInvariants.flatMap(({ name }) => aloneFoundBy(name, found)),
  "",
  END,
];
const page = readFileSync(PAGE, "utf8");
const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
writeFileSync(PAGE, page.slice(0, before) + lines.join("\n") + page.slice(after + END.length));
