// Finds the fast tests that run the branch with a fault, by a record of the branches that each test runs.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchesOf } from "./branches.mjs";
import { inMutantProcesses } from "./mutant-process.mjs";

const CACHE = "node_modules/.cache/mutants";

/** The folders of tests near the core; the tests of an adapter are also near that adapter. */
const NEAR_CORE = ["packages/core/test", "apps/harness/test", "adapters/http-api/test", "adapters/mime/test"];

/** The maximum CPU time of the tests near a fault; a test of the harness takes seconds. */
const MAX_CPU_MILLIS = 20_000;

/** Returns whether a test belongs to the core, and loads only the core; others load the whole service. */
const isOfCore = (test) => test.startsWith("packages/core/");

const hash = (...texts) => texts.reduce((sum, text) => sum.update(text), createHash("sha1")).digest("hex");
const textOf = (file) => readFileSync(file, "utf8");

const fastTestsOf = (folder) => {
  const own = /^adapters\/[^/]+/.exec(folder)?.[0];
  const places = [...new Set([...(own === undefined ? [] : [`${own}/test`]), ...NEAR_CORE])];
  return places
    .flatMap((place) => globSync(`${place}/**/*.test.ts`).toSorted())
    .filter((test) => !/\.(ci|integration|nightly)\.test\.ts$/.test(test));
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
  await inMutantProcesses(missing, async (runner, test) => {
    const { failure, ...record } = (await runner.record(test)) ?? { failure: { name: "loading", error: "no end" } };
    if (failure !== undefined) say(`${test} fails without a fault: ${failure.name}: ${failure.error}`);
    else appendFileSync(RECORDS, `${JSON.stringify({ ...record, text: hash(textOf(test)), state: name })}\n`);
  });
  return readRecords();
};

/** The beginning of a declaration at the top level, and its name. */
const DECLARATION = /^(export )?(?:const|class|function) (\w+)/;

/** Returns the names that a text imports. */
const importedBy = (text) =>
  new Set([...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) => names.match(/\w+/g) ?? []));

/**
 * Reads a source: the names that it declares at the top level, those that it imports, and for each name where it is
 * mentioned: the innermost branch, or null in code that runs when the module is loaded, and the declaration around it.
 */
const readSource = (file) => {
  const text = textOf(file);
  const branches = branchesOf(file, text);
  const innermost = new Int32Array(text.length);
  for (const [n, { start, end }] of branches.entries()) innermost.fill(n + 1, start, end);
  const exported = new Map();
  const mentions = new Map();
  let around = null;
  let begin = 0;
  for (const line of text.split("\n")) {
    const [, isExported, declared] = DECLARATION.exec(line) ?? [];
    if (declared !== undefined) exported.set((around = declared), isExported !== undefined);
    for (const { index, 0: name } of line.startsWith("import ") ? [] : line.matchAll(/\b[A-Za-z_]\w*/g)) {
      const branch = branches[innermost[begin + index] - 1];
      const mention = { file, branch: branch === undefined ? null : `${file}#${branch.start}`, around };
      mentions.set(name, [...(mentions.get(name) ?? []), mention]);
    }
    begin += line.length + 1;
  }
  return { exported, mentions, imported: importedBy(text) };
};

/** Returns the name of the top-level declaration around a place outside of functions; null without a declaration. */
const nameAround = (text, start) => {
  const before = text.slice(0, text.indexOf("\n", start)).split("\n");
  return before.map((line) => DECLARATION.exec(line)?.[2]).findLast((name) => name !== undefined) ?? null;
};

/** Keeps the first records whose total time is within the limit for a fault. */
const withinTime = (records) => {
  let sum = 0;
  return records.filter(({ millis }) => (sum += millis) <= MAX_CPU_MILLIS);
};

/**
 * Returns a function that lists the fast tests near a fault: those that run the innermost branch around it, those of
 * the core first, the quickest first. A fault in code that runs when a module is loaded is near the tests that import its
 * declaration, and near those that run a branch that mentions it; then near those of the values that modules make of
 * it when they are loaded: `const A = [B]`.
 */
export const findTestsNear = async (folder, say) => {
  const files = globSync("{packages,adapters}/*/src/**/*.ts").toSorted();
  const sources = new Map(files.map((file) => [file, readSource(file)]));
  const records = (await recordsOf(fastTestsOf(folder), say))
    .map(({ calls, loaded, ...record }) => ({
      ...record,
      calls: new Set(calls),
      loaded: new Set(loaded),
      files: new Set(calls.map((call) => call.replace(/#.*/, ""))),
      imported: importedBy(textOf(record.test)),
    }))
    .toSorted((one, other) => isOfCore(other.test) - isOfCore(one.test) || one.millis - other.millis);

  /** Returns where a name that a file declares is mentioned: in the file itself, and in those that import it. */
  const mentionsOf = (file, name) => {
    const isExported = sources.get(file).exported.get(name);
    const users = files.filter((one) => one === file || (isExported && sources.get(one).imported.has(name)));
    return users.flatMap((one) => sources.get(one).mentions.get(name) ?? []);
  };

  // The branches of a source that has changed since a record are unknown, so all tests that ran its file are near it.
  const runs = ({ calls, files, changed }, file, branch) =>
    changed.has(file) ? files.has(file) : branch !== null && calls.has(branch);

  const namersOf = (file, start) => {
    const near = new Set();
    const first = { file, name: nameAround(textOf(file), start) };
    const queue = first.name === null ? [] : [first];
    const seen = new Set();
    for (const { file: declaring, name } of queue) {
      const mentions = mentionsOf(declaring, name);
      for (const record of records) if (record.imported.has(name)) near.add(record);
      for (const record of records)
        if (mentions.some((one) => one.branch !== null && runs(record, one.file, one.branch))) near.add(record);
      for (const { file: maker, branch, around } of mentions) {
        if (branch !== null || around === null || seen.has(`${maker}#${around}`)) continue;
        seen.add(`${maker}#${around}`);
        queue.push({ file: maker, name: around });
      }
    }
    for (const record of records) if (record.files.has(file)) near.add(record);
    return [...near];
  };

  return ({ file, start }) => {
    const around = branchesOf(file, textOf(file)).filter((branch) => branch.start <= start && start < branch.end);
    const innermost = around.length === 0 ? null : `${file}#${around.at(-1).start}`;
    const callers = innermost === null ? [] : records.filter((record) => runs(record, file, innermost));
    const whileLoading =
      innermost === null ||
      records.some(({ loaded }) => loaded.has(innermost)) ||
      (callers.length === 0 && records.some(({ changed }) => changed.has(file)));
    const near = [...new Set([...callers, ...(whileLoading ? namersOf(file, start) : [])])];
    return withinTime(near).map(({ test }) => test);
  };
};
