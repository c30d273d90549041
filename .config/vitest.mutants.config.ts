import { defineConfig } from "vitest/config";
import type { Reporter } from "vitest/reporters";
import { fromSources } from "./from-sources.ts";
import { mutant } from "./mutant.ts";

/** Prints the tests and files that failed, and nothing else. */
const failures: Reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === "failed") console.log(`${test.module.relativeModuleId} > ${test.name}`);
  },
  onTestModuleEnd: (module) => {
    if (module.errors().length > 0) console.log(module.relativeModuleId);
  },
};

/** Runs fast tests against one mutant of a source file, until the first test that fails. */
export default defineConfig({
  ...fromSources,
  plugins: process.env["MUTANT"] === undefined ? [] : [mutant(process.env["MUTANT"])],
  test: {
    include: ["{packages,adapters,apps}/*/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.{integration,nightly}.test.ts"],
    testTimeout: 20_000,
    bail: 1,
    reporters: [failures],
  },
});
