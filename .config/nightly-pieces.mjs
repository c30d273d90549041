import { globSync } from "node:fs";

const VITEST = ["vitest", "run", "--config"];

const named = (name, command, why, env = {}) => ({ name, command, why, env });

/** Files whose further cases only `nightly()` of the testkit runs. */
export const WITH_FURTHER_CASES = {
  "adapters/imap/test/contracts.integration.test.ts": "the other separator runs each contract again",
  "adapters/imap/test/folders.integration.test.ts": "each layout of folders runs each contract again",
  "adapters/imap/test/folder-management.integration.test.ts": "each layout interrupts removals at many steps",
  "adapters/sql/test/functions.integration.test.ts": "each case writes 100,000 deliveries first",
  "adapters/sql/test/contracts.integration.test.ts": "a schema beside others runs each contract again",
  "apps/console/test/pages.integration.test.ts": "the dark theme and a real mail server show the same pages again",
  "apps/server/test/folder-removal.integration.test.ts": "each extension that is missing cuts as many connections",
  "apps/console/test/accounts.integration.test.ts": "the sandbox shows the same as a real mail server",
  "apps/console/test/mailbox.integration.test.ts": "the sandbox shows the same as a real mail server",
  "apps/server/test/every-operation.integration.test.ts": "PostgreSQL answers the same requests again",
  "apps/server/test/uploads.integration.test.ts": "500 MiB into PostgreSQL, after as many into a folder",
  "apps/server/test/bounces.integration.test.ts": "a thousand reports in place of 200",
};

const ofFiles = Object.entries({
  ...WITH_FURTHER_CASES,
  "packages/testkit/test/packages.nightly.test.ts":
    "builds, publishes and installs all packages, and runs them on two versions of Node.js, Bun and Deno",
  "adapters/sql/test/many-messages.nightly.test.ts": "changes 10,000 messages three times on each database",
  "packages/testkit/test/boundaries.nightly.test.ts": "plants faults of each kind for guards that run a minute each",
}).map(([file, why]) =>
  named(
    file.replace(/^\w+\/(\w+)\/test\/(.*)\.(?:integration|nightly)\.test\.ts$/, "$1/$2"),
    [...VITEST, ".config/vitest.config.ts", file],
    why,
    {
      NIGHTLY: "1",
    },
  ),
);

const ofFaults = globSync("{adapters,apps}/*/test/**/*.faults.ts")
  .toSorted()
  .map((file) =>
    named(
      `faults/${/([^/]*)\.faults\.ts$/.exec(file)[1]}`,
      [...VITEST, ".config/vitest.faults.config.ts", file],
      "kills and cuts many processes and connections",
    ),
  );

/** Ranges of `each` from `first`, `count` together. */
const ranges = (first, count, each) =>
  Array.from({ length: Math.ceil(count / each) }, (_, n) => [first + n * each, Math.min(each, count - n * each)]);

/** The numbers of seeds, of which CI plays the first 30. */
const ofSeeds = [...ranges(1, 60, 60), ...ranges(1_001, 2_000, 400)].map(([from, seeds]) =>
  named(
    `simulation/${from}`,
    ["npm", "run", "--silent", "simulate", "--", "--from", from, "--seeds", seeds],
    "CI plays 30 seeds",
  ),
);

const ofHistories = ranges(0, 60, 6).map(([from, count]) =>
  named(
    `histories/${from + 1}`,
    ["npm", "run", "--silent", "test:histories", "--", "--from", from, "--count", from + count],
    "takes a minute of real time each",
  ),
);

/** Seed 101 is for measuring alone: no test is written for its survivors. */
const ofMutants = ranges(0, 300, 50).map(([from, count]) =>
  named(
    `mutants/${from + 1}`,
    ["npm", "run", "--silent", "mutants", "--", "--seed", 101, "--from", from, "--count", from + count, "--least", 70],
    "runs the tests near each fault",
  ),
);

/** A million inputs together. */
const ofFuzz = [1, 2, 3, 4].map((seed) =>
  named(
    `fuzz/${seed}`,
    ["npm", "run", "--silent", "fuzz", "--", "--seed", seed, "--count", 250_000],
    "CI reads 2,000 inputs with each reader",
  ),
);

/** What is too long for CI, in pieces of at most ten minutes on two calm cores; each with the reason. */
export const PIECES = [
  ...ofFiles,
  ...ofSeeds,
  ...ofHistories,
  ...ofFuzz,
  ...ofMutants,
  ...ofFaults,
  named("providers", ["npm", "run", "--silent", "test:providers"], "runs the contracts as 20 mail servers"),
  named("requests", ["npm", "run", "--silent", "test:requests"], "100,000 generated requests"),
];
