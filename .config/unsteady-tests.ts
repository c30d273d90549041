import type { Reporter } from "vitest/reporters";

/** More tests than these that passed only when they were repeated fail a run: each is a race in a test or in the product. */
const MAX_REPEATED = 2;

/** Names the tests that passed only when they were repeated, and fails a run with too many. */
export const unsteadyTests: Reporter = {
  onTestRunEnd: (modules) => {
    const unsteady = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (unsteady.length === 0) return;
    console.warn(`\nPASSED ONLY WHEN REPEATED (${unsteady.length}):\n${unsteady.join("\n")}\n`);
    if (unsteady.length <= MAX_REPEATED) return;
    console.error(`At most ${MAX_REPEATED} tests of a run may be repeated.`);
    process.exitCode = 1;
  },
};
