// Plants random faults in the core, one at a time, and reports the faults that the fast tests near them do not detect.
import { globSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { inMutantProcesses } from "./mutant-process.mjs";
import { mutationsOf } from "./mutations.mjs";
import { findTestsNear } from "./tests-near.mjs";

/** The seeds reserved for measurements in the core: no test is written for their faults. */
const MEASURING = { seeds: [101, 201], folder: "packages/core/src", count: 300 };

const HELP = `npm run mutants -- [options]

Plants random faults in the sources, one at a time, and runs the fast tests that run the faulty branch, the quickest first.
No source is written: a fault exists only in the process of its tests. A first run after a change records which test runs
what, in node_modules/.cache. A seed of those that measure (${MEASURING.seeds.join(", ")}) draws faults that no other seed draws.

  --seed <number>    which faults are drawn (default 1)
  --count <number>   how many (default 200)
  --from <number>    skips so many of them, to go on where a run ended (default 0)
  --in <path>        where: "core" (default), "core/send", "sql", or any path of a folder of sources
  --least <percent>  exits with 1 if fewer are killed (default 0)
  --json             writes the figures as JSON to stdout, everything else to stderr
  --list             lists the faults without running a test
  --help

Exit codes: 0 the run ended, 1 fewer were killed than --least, 2 wrong usage.`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    from: { type: "string", default: "0" },
    in: { type: "string", default: "core" },
    least: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const say = values.json ? console.error : console.log;
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

/** Returns the folder of a place: packages/core/src/send for `core/send`. */
const folderOf = (place) => {
  const [workspace, ...inside] = place.split("/");
  const found = globSync(`{packages,adapters}/${workspace}/src`)[0];
  return found === undefined ? place : [found, ...inside].join("/");
};

/** Returns a generator of random numbers in [0, 1) from a seed (mulberry32). */
const randomFrom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
};

const draw = (all, seed, count) => {
  const random = randomFrom(seed);
  const rest = [...all];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  );
};

const judge = async (runner, mutation) => {
  const near = testsNear(mutation);
  if (near.length === 0) return { noticed: false, by: "no test runs it" };
  const failed = await runner.judge(mutation, near);
  return { noticed: failed !== null, by: failed ?? `${near.length} files of tests` };
};

const place = ({ file, start }) => `${file}:${readFileSync(file, "utf8").slice(0, start).split("\n").length}`;
const line = (text) => text.replaceAll(/\s+/g, " ").slice(0, 70);
const describeMutation = (mutation) => `${place(mutation)}  ${line(mutation.was)} → ${line(mutation.by)}`;

const folder = folderOf(values.in);
const faultsIn = (place) =>
  globSync(`${place}/**/*.ts`)
    .toSorted()
    .flatMap((file) => mutationsOf(file, readFileSync(file, "utf8")));
const nameOf = ({ file, start, by }) => `${file}#${start} ${by}`;

if (globSync(`${folder}/**/*.ts`).length === 0) {
  console.error(`--in ${values.in}: no sources in ${folder}`);
  process.exit(2);
}
const seed = Number(values.seed);
const ofCore = faultsIn(MEASURING.folder);
const kept = new Set(
  MEASURING.seeds.includes(seed)
    ? []
    : MEASURING.seeds.flatMap((one) => draw(ofCore, one, MEASURING.count)).map(nameOf),
);
const all = faultsIn(folder).filter((fault) => !kept.has(nameOf(fault)));
const drawn = draw(all, seed, Number(values.count)).slice(Number(values.from));
say(`${drawn.length} of ${all.length} possible faults in ${folder}, seed ${seed}`);
if (values.list) {
  for (const mutation of drawn) say(describeMutation(mutation));
  process.exit(0);
}

const testsNear = await findTestsNear(folder, say);
const survivors = [];
await inMutantProcesses([...drawn.entries()], async (runner, [index, mutation]) => {
  const { noticed, by } = await judge(runner, mutation);
  if (!noticed) survivors.push(mutation);
  say(
    `${index + 1}/${drawn.length} ${noticed ? "killed  " : "SURVIVED"} ${describeMutation(mutation)}${by ? `  (${by})` : ""}`,
  );
});

const killed = drawn.length - survivors.length;
say(`killed ${killed}, survived ${survivors.length}`);
if (values.json)
  console.log(
    JSON.stringify({
      seed,
      killed,
      survived: survivors.length,
      survivors: survivors.map((one) => ({ at: place(one), was: one.was, by: one.by })),
    }),
  );
if (killed < (drawn.length * Number(values.least)) / 100) process.exitCode = 1;
