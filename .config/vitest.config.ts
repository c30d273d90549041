import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";
import { LongestFirst } from "./longest-first.ts";
import { unsteadyTests } from "./unsteady-tests.ts";

const projects = ["packages", "adapters", "apps"];

/** On a machine shared with others a test with real servers may be late once. A test in memory that fails once is wrong. */
const retry = process.env.CI === "true" ? 1 : 0;

/** `npm run nightly` runs the longer suites, too. */
const suites = process.env.NIGHTLY === undefined ? "integration" : "{integration,nightly}";

/** `fast` runs in memory in seconds; `integration` starts real servers of its own on free loopback ports. */
export default defineConfig({
  test: {
    // Suites with real servers wait more than they work.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", unsteadyTests],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...fromSources,
        test: {
          name: "fast",
          // Modules are evaluated once for each worker: 141 instead of 357 seconds of CPU time.
          isolate: false,
          include: projects.map((folder) => `${folder}/*/test/**/*.test.ts`),
          exclude: ["**/node_modules/**", "**/*.{integration,nightly}.test.ts"],
          // Tests take seconds, but longer on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        ...fromSources,
        test: {
          name: "integration",
          include: projects.map((folder) => `${folder}/*/test/**/*.${suites}.test.ts`),
          // Nothing is late in itself: what is slow is measured elsewhere.
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
          retry,
        },
      },
    ],
  },
});
