// Plants random faults in the core, one at a time, and says which of them the fast tests near it do not notice.
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { mutationsOf } from "./mutations.mjs";
import { testsNear } from "./tests-near.mjs";

const HELP = `npm run mutants -- [options]

Plants random faults in the sources, one at a time, and runs the fast tests that reach the faulty file, the nearest first.
No file is written: a fault exists only in the process of its tests.

  --seed <number>    which faults are drawn (default 1)
  --count <number>   how many (default 200)
  --from <number>    skips so many of them, to go on where a run ended (default 0)
  --in <path>        where: "core" (default), "core/send", "sql", or any path of a folder of sources
  --json             writes the figures as JSON to stdout, everything else to stderr
  --list             lists the faults without running a test
  --help

Exit codes: 0 the run ended, 2 wrong usage.`;

/** Nearest tests run alone first, because most faults fail one of them. */
const NEAREST = 8;
const LIMIT_MILLIS = { nearest: 300_000, all: 600_000 };

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    from: { type: "string", default: "0" },
    in: { type: "string", default: "core" },
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

/** Runs tests against a mutant; a run that does not end is a fault that was noticed. */
const runTests = (tests, { file, ...edit }, millis) =>
  new Promise((done) => {
    const vitest = spawn(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--config", ".config/vitest.mutants.config.ts", ...tests],
      {
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, MUTANT: JSON.stringify({ ...edit, path: resolve(file) }) },
      },
    );
    let failed = "";
    let late = false;
    vitest.stdout.on("data", (chunk) => (failed += chunk));
    const timer = setTimeout(() => {
      late = true;
      process.kill(-Number(vitest.pid), "SIGKILL");
    }, millis);
    vitest.on("close", (code) => {
      clearTimeout(timer);
      done({ noticed: late || code !== 0, by: late ? "no end" : failed.split("\n")[0] });
    });
  });

const judge = async (mutation) => {
  const tests = testsNear(mutation.file);
  if (tests.length === 0) return { noticed: false, by: "" };
  const first = await runTests(tests.slice(0, NEAREST), mutation, LIMIT_MILLIS.nearest);
  return first.noticed || tests.length <= NEAREST ? first : runTests(tests.slice(NEAREST), mutation, LIMIT_MILLIS.all);
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
