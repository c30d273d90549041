// Finds the fast tests that run the branch with a fault, by a record of the branches that each test runs.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchesOf } from "./branches.mjs";
import { MutantProcess } from "./mutant-process.mjs";

const CACHE = "node_modules/.cache/mutants";

/** The folders of tests near the core; the tests of an adapter are also near that adapter. */
const NEAR_CORE = ["packages/core/test", "apps/harness/test", "adapters/http-api/test", "adapters/mime/test"];

/** The maximum CPU time of the tests near a fault; a test of the harness takes seconds. */
const MAX_CPU_MILLIS = 12_000;

/** Returns whether a test belongs to the core, and loads only the core; others load the whole service. */
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

/**
 * Returns the hashes of the sources by file. A record of an earlier state names the file with the hashes of that time.
 */
const stateOf = (sources) => {
  const state = Object.fromEntries([".config/branches.mjs", ...sources].map((file) => [file, hash(textOf(file))]));
  return { name: `${hash(JSON.stringify(state))}.json`, state };
};

/**
 * Returns the records of tests. Records of the core's tests take seconds and are always of the current sources. Records
 * of the other tests take minutes, so earlier ones are kept, with the list of sources changed since.
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

/** The beginning of a declaration at the top level, and its name. */
const DECLARATION = /^(?:export )?(?:const|class|function) (\w+)/;

/** Returns the name of the top-level declaration around a place outside of functions; null without a declaration. */
const nameAround = (text, start) => {
  const before = text.slice(0, text.indexOf("\n", start)).split("\n");
  return before.map((line) => DECLARATION.exec(line)?.[1]).findLast((name) => name !== undefined) ?? null;
};

/** Keeps the first records whose total time is within the limit for a fault. */
const withinTime = (records) => {
  let sum = 0;
  return records.filter(({ millis }) => (sum += millis) <= MAX_CPU_MILLIS);
};

/**
 * Returns a function that lists the fast tests near a fault: those that run the innermost branch around it, those of
 * the core first, the quickest first. A fault in code that runs when a module is loaded is near the tests that name its
 * declaration, or a value made of it. After these come the tests that run a branch of a file that names the
 * declaration.
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

  /** The names of the values that modules make of a name when they are loaded: `const A = [B]` makes A of B. */
  const madeOf = new Map();
  for (const { file, text } of sources) {
    const isRun = new Uint8Array(text.length);
    for (const { start, end } of branchesOf(file, text)) isRun.fill(1, start, end);
    let made = null;
    let begin = 0;
    for (const line of text.split("\n")) {
      made = DECLARATION.exec(line)?.[1] ?? made;
      if (made !== null && !line.startsWith("import "))
        for (const { index, 0: name } of line.matchAll(/\b[A-Za-z_]\w*/g))
          if (isRun[begin + index] === 0 && name !== made) madeOf.set(name, (madeOf.get(name) ?? new Set()).add(made));
      begin += line.length + 1;
    }
  }

  /** Returns the name declared around a place, and the names of the values made of it, and of these. */
  const namesFrom = (file, start) => {
    const names = new Set([nameAround(textOf(file), start)].filter((name) => name !== null));
    for (const name of names) for (const made of madeOf.get(name) ?? []) names.add(made);
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
    // The branches of a changed source are unknown, so the tests that run any branch of its file are near it.
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
