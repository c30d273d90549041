// Replaces vitest for tests against mutants: runs the tests of a file in the same process, in order, until one fails. A
// new vitest for each mutant would take a hundred times as long.
globalThis.__vitest_worker__ = {
  config: { snapshotOptions: { expand: false }, expect: {}, fakeTimers: {} },
  evaluatedModules: { idToModuleMap: new Map() },
  environment: { name: "node" },
  providedContext: {},
  rpc: {},
  onCleanup: () => {},
};
const { assert, chai, createExpect, vi } = await import("MODULE_OF_VITEST");
const expect = createExpect();
export { assert, chai, expect, vi };

const hooksOfSuite = () => ({ beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] });
let tests = [];
let suites = [];

const bodyOf = (rest) => rest.find((one) => typeof one === "function");

const rowsOf = (cases, values) => {
  if (cases.raw === undefined) return cases;
  const names = cases.raw[0].split("|").map((name) => name.trim());
  const count = values.length / names.length;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(names.map((name, column) => [name, values[row * names.length + column]])),
  );
};

/** Adds the variants that the tests use to a function that registers a test or a suite. */
const withForms = (register) => {
  const skip = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} });
  const forms = {
    each:
      (cases, ...values) =>
      (name, ...rest) =>
        rowsOf(cases, values).forEach((row, n) =>
          register(`${name} (${n + 1})`, () => bodyOf(rest)(...(Array.isArray(row) ? row : [row]))),
        ),
    for:
      (cases) =>
      (name, ...rest) =>
        cases.forEach((row, n) => register(`${name} (${n + 1})`, (context) => bodyOf(rest)(row, context))),
    skip,
    skipIf: (isSkipped) => (isSkipped ? skip : it),
    runIf: (isRun) => (isRun ? it : skip),
  };
  const it = Object.assign((name, ...rest) => register(name, bodyOf(rest)), forms);
  return it;
};

export const it = withForms((name, run) => {
  tests.push({ name, run, suites });
});
export const test = it;
export const describe = withForms((_, declare) => {
  const outer = suites;
  suites = [...suites, hooksOfSuite()];
  declare();
  suites = outer;
});

const hook = (kind) => (run) => void suites.at(-1)[kind].push(run);
export const beforeAll = hook("beforeAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const afterAll = hook("afterAll");
export const onTestFinished = () => {};
export const TestRunner = { getCurrentSuite: () => ({ tasks: [] }) };

const within = (millis, run) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${millis} ms`)), millis);
  });
  return Promise.race([Promise.resolve().then(run), late]).finally(() => clearTimeout(timer));
};

/** Loads a test file and runs its tests until one fails; returns the failure, or undefined. */
globalThis.runTestFile = async (load, { millisPerTest, loaded = () => {} }) => {
  tests = [];
  suites = [hooksOfSuite()];
  const entered = new Set();
  let name = "loading the file";
  try {
    await load();
    loaded();
    for (const one of tests) {
      ({ name } = one);
      const hooks = (kind) => one.suites.flatMap((suite) => suite[kind]);
      for (const suite of one.suites.filter((suite) => !entered.has(suite))) {
        entered.add(suite);
        for (const run of suite.beforeAll) await within(millisPerTest, run);
      }
      const context = { signal: new AbortController().signal, onTestFinished, task: {}, expect };
      for (const run of hooks("beforeEach")) await within(millisPerTest, () => run(context));
      await within(millisPerTest, () => one.run(context));
      for (const run of hooks("afterEach")) await within(millisPerTest, () => run(context));
    }
    return undefined;
  } catch (error) {
    return { name, error: String(error) };
  } finally {
    for (const suite of entered) for (const run of suite.afterAll) await within(millisPerTest, run).catch(() => {});
  }
};
