import type { Reporter } from "vitest/reporters";

/** Names the tests that passed only when they were repeated: each is a race in a test or in the product. */
export const unsteadyTests: Reporter = {
  onTestRunEnd: (modules) => {
    const unsteady = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (unsteady.length > 0)
      console.warn(`\nPASSED ONLY WHEN REPEATED (${unsteady.length}):\n${unsteady.join("\n")}\n`);
  },
};
