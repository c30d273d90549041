import { runSeed } from "./cluster/run-seed.ts";
import { seedOptions } from "./cluster/seed-options.ts";

/** Runs the seeds from the first argument to the second, and prints the first violation as one line of JSON. */
const [from, to] = process.argv.slice(2).map(Number) as [number, number];
let first: { readonly seed: number; readonly violations: ReadonlyArray<string> } | null = null;
for (let seed = from; seed <= to && first === null; seed++) {
  const { violations } = runSeed(seedOptions(seed, 3, undefined));
  if (violations.length > 0) first = { seed, violations };
}
console.log(JSON.stringify(first));
