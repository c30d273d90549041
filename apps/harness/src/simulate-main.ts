import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { allPlants } from "./cluster/plants/all-plants.ts";
import type { Plant } from "./cluster/plants/Plant.ts";
import { defaultInvariants } from "./cluster/default-invariants.ts";
import { Coverage } from "./cluster/faults/Coverage.ts";
import { runSeed, type SeedRun } from "./cluster/run-seed.ts";
import { seedOptions } from "./cluster/seed-options.ts";
import { shrink } from "./cluster/shrink.ts";

const HELP = `npm run simulate -- [options]

Runs the whole cluster under seeds: nodes over one store, with every fault the environment can cause.

  --seeds <count>   seeds to run (default 100); stops at the first violation
  --from <seed>     the first of them (default 1)
  --seed <seed>     runs one seed
  --trace           writes the trace of that seed to stdout, everything else to stderr
  --acts <count>    runs only so many acts of the seed
  --nodes <count>   1 to 5 nodes (default 3)
  --hours <hours>   how long the faults last, with the real retry ladder (default: 3 minutes, with a short one)
  --plants          lists the planted bugs
  --plant <name>    runs with one of them in place, to see it found
  --without <name>  leaves out an invariant; may be repeated
  --twice           runs each seed twice, and compares the traces
  --help

Exit codes: 0 no violation, 1 a violation, 2 wrong usage.`;

const OPTIONS = {
  seeds: { type: "string" },
  from: { type: "string" },
  seed: { type: "string" },
  trace: { type: "boolean" },
  acts: { type: "string" },
  nodes: { type: "string" },
  hours: { type: "string" },
  plants: { type: "boolean" },
  plant: { type: "string" },
  without: { type: "string", multiple: true },
  twice: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Refuses the command line. */
class UsageError extends Error {}

const numberOf = (name: string, text: string | undefined, least: number, most: number): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text === "" || !(value >= least && value <= most))
    throw new UsageError(`--${name} takes a number from ${least} to ${most}`);
  return value;
};

const plantOf = (name: string): Plant => {
  const found = allPlants.find((plant) => plant.name === name);
  if (found === undefined) throw new UsageError(`${name} is no planted bug; --plants lists them`);
  return found;
};

const invariantOf = (name: string): string => {
  if (defaultInvariants.some((invariant) => invariant.name === name)) return name;
  throw new UsageError(`${name} is no invariant: ${defaultInvariants.map((invariant) => invariant.name).join(", ")}`);
};

const read = (args: ReadonlyArray<string>) => {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const integer = (name: "seeds" | "from" | "seed" | "acts" | "nodes", least: number, most: number) => {
      const value = numberOf(name, values[name], least, most);
      if (value !== undefined && !Number.isInteger(value)) throw new UsageError(`--${name} takes a whole number`);
      return value;
    };
    return {
      help: values.help === true,
      trace: values.trace === true,
      seed: integer("seed", 0, 2 ** 31),
      seeds: integer("seeds", 1, 1e9) ?? 100,
      from: integer("from", 0, 2 ** 31) ?? 1,
      acts: integer("acts", 0, 1e9),
      nodes: integer("nodes", 1, 5) ?? 3,
      plants: values.plants === true,
      plant: values.plant === undefined ? undefined : plantOf(values.plant),
      without: (values.without ?? []).map(invariantOf),
      twice: values.twice === true,
      hours: numberOf("hours", values.hours, 0.01, 1000),
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const tell = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs a seed; returns a hash of its trace, too. */
const runHashed = (run: SeedRun) => {
  const hash = createHash("sha256");
  const result = runSeed({ ...run, write: (line) => void hash.update(`${line}\n`) });
  return { result, hash: hash.digest("hex") };
};

/** Prints a report on a failed seed, with the shortest prefix that still fails and the end of its trace. */
const tellFailure = (run: SeedRun): void => {
  const whole = runSeed(run);
  const acts = shrink(run, run.acts ?? whole.acts);
  const { violations, linesBefore } = runSeed({ ...run, acts, write: () => {} });
  tell(`seed ${run.seed} fails:`);
  for (const violation of whole.violations) tell(`  ${violation}`);
  tell(`shortest prefix that fails: --seed ${run.seed} --acts ${acts}, of ${whole.acts} acts`);
  for (const violation of violations) tell(`  ${violation}`);
  tell("the end of its trace, up to the first violation:");
  for (const line of linesBefore) tell(line);
};

const main = (args: ReadonlyArray<string>): number => {
  const { help, plants, plant, without, twice, trace, seed, seeds, from, acts, nodes, hours } = read(args);
  if (plants) {
    for (const { name, about } of allPlants) console.log(`${name.padEnd(36)}${about}`);
    return 0;
  }
  if (help) {
    console.log(HELP);
    return 0;
  }
  const began = performance.now();
  const coverage = new Coverage();
  let virtualMillis = 0;
  let count = 0;
  let failed: SeedRun | undefined;
  for (let next = seed ?? from; count < (seed === undefined ? seeds : 1) && failed === undefined; next++, count++) {
    const usual = seedOptions(next, nodes, hours);
    const run: SeedRun = {
      ...usual,
      invariants: usual.invariants.filter(({ name }) => !without.includes(name)),
      ...(plant === undefined ? {} : { plant }),
      ...(acts === undefined ? {} : { acts }),
      ...(trace ? { write: (line: string) => void process.stdout.write(`${line}\n`) } : {}),
    };
    const { result, hash } = twice ? runHashed(run) : { result: runSeed(run), hash: null };
    if (hash !== null && runHashed(run).hash !== hash) {
      tell(`seed ${next} fails: it has two traces`);
      return 1;
    }
    virtualMillis += result.virtualMillis;
    coverage.add(result.hits);
    if (result.violations.length > 0) failed = run;
  }
  const millis = performance.now() - began;
  tell(`${count} ${count === 1 ? "seed" : "seeds"} at ${nodes} nodes, ${((1000 * count) / millis).toFixed(1)} seeds/s`);
  tell(`virtual time ÷ real time: ${Math.round(virtualMillis / millis)} ×`);
  for (const [kind, hits] of coverage.byKind) tell(`  ${kind}: ${hits}`);
  tell(`coverage of fault × port: ${coverage.percent.toFixed(1)} %`);
  if (seeds >= 1000 && coverage.missing.length > 0) tell(`not hit: ${coverage.missing.join(", ")}`);
  if (failed === undefined) return 0;
  const { write: _, ...again } = failed;
  tellFailure(again);
  return 1;
};

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  tell(`${error.message}\n\n${HELP}`);
  process.exitCode = 2;
}
