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
  "packages/testkit/test/packages.integration.test.ts": "bundlers, examples and the oldest Node.js take two minutes",
};

const ofFiles = Object.entries({
  ...WITH_FURTHER_CASES,
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

/** The numbers of seeds that no test of CI plays. */
const ofSeeds = ranges(1_001, 2_000, 400).map(([from, seeds]) =>
  named(
    `simulation/${from}`,
    ["npm", "run", "--silent", "simulate", "--", "--from", from, "--seeds", seeds],
    "CI plays 60 seeds",
  ),
);

const ofHistories = ranges(0, 60, 6).map(([from, count]) =>
  named(
    `histories/${from + 1}`,
    ["npm", "run", "--silent", "test:histories", "--", "--from", from, "--count", from + count],
    "takes a minute of real time each",
  ),
);

/** What is too long for CI, in pieces of at most ten minutes on two calm cores; each with the reason. */
export const PIECES = [
  ...ofFiles,
  ...ofSeeds,
  ...ofHistories,
  ...ofFaults,
  named("providers", ["npm", "run", "--silent", "test:providers"], "runs the contracts as 20 mail servers"),
  named("requests", ["npm", "run", "--silent", "test:requests"], "100,000 generated requests"),
];
