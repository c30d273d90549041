// Which fast tests run the branch that holds a fault, by a record of the branches that each test runs.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchesOf } from "./branches.mjs";
import { MutantProcess } from "./mutant-process.mjs";

const CACHE = "node_modules/.cache/mutants";

/** Tests of these folders are near the core; those of an adapter are near the adapter, too. */
const NEAR_CORE = ["packages/core/test", "apps/harness/test", "adapters/http-api/test", "adapters/mime/test"];

/** A test of the harness takes seconds: no more are near a fault than this much time of the processor allows. */
const MAX_CPU_MILLIS = 12_000;

/** A test of the core loads the core alone; others load the whole service. */
const isOfCore = (test) => test.startsWith("packages/core/");

const hash = (...texts) => texts.reduce((sum, text) => sum.update(text), createHash("sha1")).digest("hex");
const textOf = (file) => readFileSync(file, "utf8");

const fastTestsOf = (folder) => {
  const own = /^adapters\/[^/]+/.exec(folder)?.[0];
  const places = [...new Set([...(own === undefined ? [] : [`${own}/test`]), ...NEAR_CORE])];
  return places
    .flatMap((place) => globSync(`${place}/**/*.test.ts`).toSorted())
    .filter((test) => !/\.(integration|nightly)\.test\.ts$/.test(test));
};

const RECORDS = join(CACHE, "records.jsonl");

/** Hashes of the sources by their files. A record of an earlier state names the file that holds the hashes of then. */
const stateOf = (sources) => {
  const state = Object.fromEntries([".config/branches.mjs", ...sources].map((file) => [file, hash(textOf(file))]));
  return { name: `${hash(JSON.stringify(state))}.json`, state };
};

/**
 * Returns the records of tests. Those of the core take seconds and are of the current sources; those of the whole service
 * take minutes, so an earlier one stays, with the sources that have changed since then.
 */
const recordsOf = async (tests, say) => {
  const { name, state } = stateOf(globSync("{packages,adapters}/*/src/**/*.ts").toSorted());
  const changedSince = new Map();
  const changes = (then) => {
    if (!changedSince.has(then)) {
      const earlier = existsSync(join(CACHE, then)) ? JSON.parse(textOf(join(CACHE, then))) : {};
      changedSince.set(then, new Set(Object.keys(state).filter((file) => state[file] !== earlier[file])));
    }
    return changedSince.get(then);
  };
  const readRecords = () => {
    const lines = existsSync(RECORDS) ? textOf(RECORDS).trim().split("\n") : [];
    const latest = new Map(lines.map((line) => JSON.parse(line)).map((record) => [record.test, record]));
    return [...latest.values()]
      .filter(({ test, text }) => tests.includes(test) && text === hash(textOf(test)))
      .map((record) => ({ ...record, changed: changes(record.state) }))
      .filter(({ test, changed }) => changed.size === 0 || !isOfCore(test));
  };
  const records = readRecords();
  const missing = tests.filter((test) => !records.some((record) => record.test === test));
  if (missing.length === 0) return records;
  say(`recording what ${missing.length} files of tests run`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, name), JSON.stringify(state));
  await new MutantProcess().record(missing, ({ failure, ...record }) => {
    if (failure !== undefined) say(`${record.test} fails without a fault: ${failure.name}: ${failure.error}`);
    else appendFileSync(RECORDS, `${JSON.stringify({ ...record, text: hash(textOf(record.test)), state: name })}\n`);
  });
  return readRecords();
};

/** The name that the statement of a file declares around a place outside of functions; null if it declares none. */
const nameAround = (text, start) => {
  const before = text.slice(0, text.indexOf("\n", start)).matchAll(/^(?:export )?(?:const|class|function) (\w+)/gm);
  return [...before].at(-1)?.[1] ?? null;
};

/** Keeps the first records that together take no more time than a fault may. */
const withinTime = (records) => {
  let sum = 0;
  return records.filter(({ millis }) => (sum += millis) <= MAX_CPU_MILLIS);
};

/**
 * Returns a function that lists the fast tests near a fault: those that run the innermost branch around it, those of the core
 * first, the quickest first. A fault that modules run when they are loaded is near the tests that name what is declared
 * there, or what is made of it, then near those that run a branch of a file that names it.
 */
export const findTestsNear = async (folder, say) => {
  const sources = globSync("{packages,adapters}/*/src/**/*.ts").map((file) => ({ file, text: textOf(file) }));
  const records = (await recordsOf(fastTestsOf(folder), say))
    .map(({ calls, loaded, ...record }) => ({
      ...record,
      calls: new Set(calls),
      loaded: new Set(loaded),
      files: new Set(calls.map((call) => call.replace(/#.*/, ""))),
    }))
    .toSorted((one, other) => isOfCore(other.test) - isOfCore(one.test) || one.millis - other.millis);

  /** The name declared around a place, and those of what modules make of it when they are loaded: `const A = [B]`. */
  const namesFrom = (file, start) => {
    const names = new Set([nameAround(textOf(file), start)].filter((name) => name !== null));
    for (const name of names) {
      for (const { file: user, text } of sources.filter((one) => one.text.includes(name))) {
        const branches = branchesOf(user, text);
        for (const { index } of text.matchAll(new RegExp(`(?<!^import .*)\\b${name}\\b`, "gm"))) {
          const isLoaded = !branches.some((branch) => branch.start <= index && index < branch.end);
          const made = isLoaded ? nameAround(text, index) : null;
          if (made !== null) names.add(made);
        }
      }
    }
    return [...names];
  };

  const namersOf = (file, start) => {
    const names = namesFrom(file, start);
    const isNamed = new RegExp(`\\b(?:${names.join("|")})\\b`);
    const users = sources.filter((one) => one.file === file || (names.length > 0 && isNamed.test(one.text)));
    const named = records.filter(({ test }) => names.length > 0 && isNamed.test(textOf(test)));
    return [...named, ...records.filter(({ files }) => users.some((one) => files.has(one.file)))];
  };

  return ({ file, start }) => {
    const around = branchesOf(file, textOf(file)).filter((branch) => branch.start <= start && start < branch.end);
    const innermost = around.length === 0 ? undefined : `${file}#${around.at(-1).start}`;
    // A branch of a source that has changed is not known; the tests that run another one of its file are near it.
    const runs = ({ calls, files, changed }) => (changed.has(file) ? files.has(file) : calls.has(innermost));
    const callers = records.filter((record) => innermost !== undefined && runs(record));
    const whileLoading =
      innermost === undefined ||
      records.some(({ loaded }) => loaded.has(innermost)) ||
      (callers.length === 0 && records.some(({ changed }) => changed.has(file)));
    const near = [...new Set([...callers, ...(whileLoading ? namersOf(file, start) : [])])];
    return withinTime(near).map(({ test }) => test);
  };
};
