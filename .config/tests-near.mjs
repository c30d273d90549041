// Which fast tests call the function that holds a fault, by a record of the calls of each test.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { functionBodiesOf } from "./functions.mjs";

const CACHE = "node_modules/.cache/mutants";

/** Tests of these folders are near the core; those of an adapter are near the adapter, too. */
const NEAR_CORE = ["packages/core/test", "apps/harness/test", "adapters/http-api/test", "adapters/mime/test"];

const hash = (...texts) => texts.reduce((sum, text) => sum.update(text), createHash("sha1")).digest("hex");
const textOf = (file) => readFileSync(file, "utf8");

const fastTestsOf = (folder) => {
  const own = /^adapters\/[^/]+/.exec(folder)?.[0];
  const places = [...new Set([...(own === undefined ? [] : [`${own}/test`]), ...NEAR_CORE])];
  return places
    .flatMap((place) => globSync(`${place}/**/*.test.ts`).toSorted())
    .filter((test) => !/\.(integration|nightly)\.test\.ts$/.test(test));
};

/** Records of tests by their files; a record is of one text of the test and of the sources. */
const recordsOf = (tests, say) => {
  const sources = globSync("{packages,adapters}/*/src/**/*.ts").toSorted();
  const file = join(CACHE, `${hash(...sources.map(textOf))}.jsonl`);
  const readRecords = () =>
    existsSync(file)
      ? textOf(file)
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
          .filter((record) => tests.includes(record.test) && record.text === hash(textOf(record.test)))
      : [];
  const records = readRecords();
  const missing = tests.filter((test) => !records.some((record) => record.test === test));
  if (missing.length === 0) return records;
  say(`recording which functions ${missing.length} test files call`);
  if (!existsSync(file)) rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const written = join(CACHE, "written.jsonl");
  rmSync(written, { force: true });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", ".config/vitest.calls.config.ts"];
  spawnSync(process.execPath, [...vitest, ...missing], {
    stdio: "ignore",
    env: { ...process.env, RECORD_CALLS: written },
  });
  for (const line of existsSync(written) ? textOf(written).trim().split("\n") : []) {
    const record = JSON.parse(line);
    const test = relative(".", record.test);
    appendFileSync(file, `${JSON.stringify({ ...record, test, text: hash(textOf(test)) })}\n`);
  }
  return readRecords();
};

/** The name that the statement of a file declares around a place outside of functions; null if it declares none. */
const nameAround = (text, start) => {
  const before = text.slice(0, text.indexOf("\n", start)).matchAll(/^(?:export )?(?:const|class|function) (\w+)/gm);
  return [...before].at(-1)?.[1] ?? null;
};

/**
 * Returns a function that lists the fast tests near a fault: those that call the innermost function around it, the
 * quickest first. A fault outside of functions is near the tests that name what is declared there, then near those that
 * call a function of a file that names it.
 */
export const findTestsNear = (folder, say) => {
  const sources = globSync("{packages,adapters}/*/src/**/*.ts").map((file) => ({ file, text: textOf(file) }));
  const records = recordsOf(fastTestsOf(folder), say)
    .map(({ calls, loaded, ...record }) => ({
      ...record,
      calls: new Set(calls),
      loaded: new Set(loaded),
      files: new Set(calls.map((call) => call.replace(/#.*/, ""))),
      // A test of the core loads the core alone; others load the whole service.
      ofCore: record.test.startsWith("packages/core/") ? 0 : 1,
    }))
    .toSorted((one, other) => one.ofCore - other.ofCore || one.millis - other.millis);

  const namersOf = (file, start) => {
    const name = nameAround(textOf(file), start);
    const isNamed = new RegExp(`\\b${name}\\b`);
    const users = sources.filter((one) => one.file === file || (name !== null && isNamed.test(one.text)));
    const named = records.filter(({ test }) => name !== null && isNamed.test(textOf(test)));
    return [...named, ...records.filter(({ files }) => users.some((one) => files.has(one.file)))];
  };

  return ({ file, start }) => {
    const around = functionBodiesOf(file, textOf(file)).filter((body) => body.start <= start && start < body.end);
    const innermost = around.length === 0 ? undefined : `${file}#${around.at(-1).start}`;
    const callers = records.filter(({ calls }) => innermost !== undefined && calls.has(innermost));
    const whileLoading = innermost === undefined || records.some(({ loaded }) => loaded.has(innermost));
    return [...new Set([...callers, ...(whileLoading ? namersOf(file, start) : [])])].map(({ test }) => test);
  };
};
