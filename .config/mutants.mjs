// Plants random faults in the core, one at a time, and says which of them the fast tests near it do not notice.
import { fork } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { mutationsOf } from "./mutations.mjs";
import { findTestsNear } from "./tests-near.mjs";

const HELP = `npm run mutants -- [options]

Plants random faults in the sources, one at a time, and runs the fast tests that call the faulty function, the quickest first.
No source is written: a fault exists only in the process of its tests. A first run after a change records which test calls
what, in node_modules/.cache.

  --seed <number>    which faults are drawn (default 1)
  --count <number>   how many (default 200)
  --from <number>    skips so many of them, to go on where a run ended (default 0)
  --in <path>        where: "core" (default), "core/send", "sql", or any path of a folder of sources
  --least <percent>  exits with 1 if fewer are killed (default 0)
  --json             writes the figures as JSON to stdout, everything else to stderr
  --list             lists the faults without running a test
  --help

Exit codes: 0 the run ended, 1 fewer were killed than --least, 2 wrong usage.`;

/** Nearest tests run first, because most faults fail one of them; a fault that passes all near ones survives. */
const [NEAREST, NEAR] = [6, 12];
/** After which tests that report nothing count as a run without an end. */
const SILENCE_MILLIS = 120_000;

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

/** `core/send` is packages/core/src/send. */
const folderOf = (place) => {
  const [workspace, ...inside] = place.split("/");
  const found = globSync(`{packages,adapters}/${workspace}/src`)[0];
  return found === undefined ? place : [found, ...inside].join("/");
};

/** mulberry32: a small generator of random numbers in [0, 1) from a seed. */
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

/** Keeps one vitest for all mutants; a mutant whose tests do not end costs it, and a new one follows. */
let runner;
const startRunner = () =>
  new Promise((done) => {
    const child = fork(".config/mutant-runner.ts", { detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.once("message", () => done(child));
  });

/** Runs groups of tests against a mutant; a run that does not end is a fault that was noticed. */
const runTests = async (groups, { file, start, end, by }) => {
  runner ??= await startRunner();
  const child = runner;
  return new Promise((done) => {
    const finish = (result) => {
      clearTimeout(timer);
      child.removeAllListeners();
      done(result);
    };
    const giveUp = () => {
      runner = undefined;
      process.kill(-child.pid, "SIGKILL");
      finish({ noticed: true, by: "no end" });
    };
    let timer = setTimeout(giveUp, SILENCE_MILLIS);
    child.on("message", ({ alive, failed }) => {
      clearTimeout(timer);
      if (alive) timer = setTimeout(giveUp, SILENCE_MILLIS);
      else finish({ noticed: failed !== null, by: failed ?? "" });
    });
    child.once("exit", () => {
      runner = undefined;
      finish({ noticed: true, by: "the process of the tests ended" });
    });
    child.send({ mutant: { path: resolve(file), start, end, by }, groups });
  });
};

const judge = async (mutation) => {
  const near = testsNear(mutation).slice(0, NEAR);
  const groups = [near.slice(0, NEAREST), near.slice(NEAREST)].filter((group) => group.length > 0);
  return groups.length === 0 ? { noticed: false, by: "no test calls it" } : runTests(groups, mutation);
};

const place = ({ file, start }) => `${file}:${readFileSync(file, "utf8").slice(0, start).split("\n").length}`;
const line = (text) => text.replaceAll(/\s+/g, " ").slice(0, 70);
const told = (mutation) => `${place(mutation)}  ${line(mutation.was)} → ${line(mutation.by)}`;

const folder = folderOf(values.in);
const sources = globSync(`${folder}/**/*.ts`).toSorted();
if (sources.length === 0) {
  console.error(`--in ${values.in}: no sources in ${folder}`);
  process.exit(2);
}
const all = sources.flatMap((file) => mutationsOf(file, readFileSync(file, "utf8")));
const drawn = draw(all, Number(values.seed), Number(values.count)).slice(Number(values.from));
say(`${drawn.length} of ${all.length} possible faults in ${folder}, seed ${values.seed}`);
const testsNear = values.list ? () => [] : findTestsNear(folder, say);

const survivors = [];
for (const [index, mutation] of drawn.entries()) {
  if (values.list) {
    say(told(mutation));
    continue;
  }
  const { noticed, by } = await judge(mutation);
  if (!noticed) survivors.push(mutation);
  say(`${index + 1}/${drawn.length} ${noticed ? "killed  " : "SURVIVED"} ${told(mutation)}${by ? `  (${by})` : ""}`);
}
runner?.disconnect();
if (values.list) process.exit(0);

const killed = drawn.length - survivors.length;
say(`killed ${killed}, survived ${survivors.length}`);
if (values.json)
  console.log(
    JSON.stringify({
      seed: Number(values.seed),
      killed,
      survived: survivors.length,
      survivors: survivors.map((one) => ({ at: place(one), was: one.was, by: one.by })),
    }),
  );
if (killed < (drawn.length * Number(values.least)) / 100) process.exitCode = 1;
