import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";
import { LongestFirst } from "./longest-first.ts";
import { leftToCI, NamesLeftToCI } from "./left-to-ci.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { unsteadyTests } from "./unsteady-tests.ts";

process.env.TMPDIR ??= temporaryFolder();

const projects = ["packages", "adapters", "apps"];

/** On a machine shared with others a test with real servers may be late once. A test in memory that fails once is wrong. */
const retry = process.env.CI === "true" ? 1 : 0;

/** `npm run nightly` runs the longer suites, too. */
const suites = process.env.NIGHTLY === undefined ? "integration" : "{integration,nightly}";

/** These files take many seconds each: without them, a run on a machine without servers takes a third less. */
const left = leftToCI ? ["**/*.ci.**"] : [];

/** What tests with real servers of their own on free loopback ports have in common. */
const withServers = {
  // These wait more than they work.
  maxWorkers: availableParallelism() + 1,
  sequence: { groupOrder: 1 },
  // Nothing is late in itself: what is slow is measured elsewhere.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  retry,
};

/** These stop and alter the PostgreSQL of their worker, which the tests of other files would share. */
const ALONE = "apps/server/test/**/*.nightly.test.ts";

/** Node loads the sources itself, as in the service. Through Vite, which rewrites each import, the tests of the harness take a quarter more CPU time. */
const asNode = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ["--conditions=@postern/source"],
};

/** Modules are evaluated once for each worker: 141 instead of 357 seconds of CPU time. One worker more took a sixth more. */
const inMemory = {
  maxWorkers: availableParallelism(),
  sequence: { groupOrder: 2 },
  isolate: false,
  // Tests take seconds, but longer on a busy machine.
  testTimeout: 60_000,
};

const CONSOLE = "apps/console/test";

/** `fast` runs in memory in seconds. The others start real servers of their own on free loopback ports. */
export default defineConfig({
  test: {
    reporters: ["default", unsteadyTests, new NamesLeftToCI()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...asNode,
          ...inMemory,
          name: "fast",
          include: projects.map((folder) => `${folder}/*/test/**/*.test.ts`),
          exclude: ["**/node_modules/**", "**/*.{integration,nightly}.test.ts", `${CONSOLE}/**`, ...left],
        },
      },
      {
        // Vite builds the console, so only Vite can read its sources.
        ...fromSources,
        test: {
          ...inMemory,
          name: "console",
          include: [`${CONSOLE}/**/*.test.ts`],
          exclude: ["**/*.{integration,nightly}.test.ts", ...left],
        },
      },
      {
        test: {
          ...asNode,
          ...withServers,
          name: "integration",
          // Modules are evaluated, and a shared PostgreSQL is started, once for each worker.
          isolate: false,
          include: projects.map((folder) => `${folder}/*/test/**/*.${suites}.test.ts`),
          exclude: ["**/node_modules/**", ALONE, ...left],
        },
      },
      {
        test: {
          ...asNode,
          ...withServers,
          name: "isolated",
          include: process.env.NIGHTLY === undefined ? [] : [ALONE],
        },
      },
    ],
  },
});
