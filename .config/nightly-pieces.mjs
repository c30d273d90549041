import { globSync } from "node:fs";

const VITEST = ["vitest", "run", "--config"];

const named = (name, command, why, env = {}) => ({ name, command, why, env });

/** Test files with further cases that run only at night, by `nightly()` of the testkit. */
export const WITH_FURTHER_CASES = {
  "adapters/imap/test/contracts.integration.test.ts": "the other separator runs each contract again",
  "adapters/imap/test/folders.integration.test.ts": "each layout of folders runs each contract again",
  "adapters/imap/test/folder-management.integration.test.ts": "each layout interrupts removals at many steps",
  "adapters/sql/test/contracts.integration.test.ts": "a schema beside others runs each contract again",
  "apps/harness/test/simulation-seeds.ci.integration.test.ts": "a planted bug takes two runs",
  "apps/console/test/mailbox.integration.test.ts": "the sandbox shows the same as a real mail server",
  "apps/harness/test/wait-for-message.test.ts": "runs 500 races instead of 100",
  "apps/server/test/every-operation.integration.test.ts": "PostgreSQL answers the same requests again",
};

/** Test files that CI does not run, by the reason for their duration, besides `.nightly.test.ts` files. */
export const ONLY_AT_NIGHT = {
  "opens many pages in a browser, each of which takes seconds of a processor": [
    "apps/console/test/pages",
    "apps/console/test/keys",
    "apps/console/test/oauth",
    "apps/console/test/details",
    "apps/console/test/reading",
    "apps/console/test/writing",
    "apps/console/test/operator",
    "apps/console/test/drafts",
    "apps/console/test/accounts",
    "apps/console/test/upgrade",
    "apps/console/test/several-accounts",
    "apps/console/test/organising",
    "apps/console/test/fast-keys",
    "apps/console/test/selection",
    "apps/console/test/search",
    "apps/console/test/shown-as-meant",
    "apps/console/test/list-order",
    "apps/console/test/rich-text",
    "apps/console/test/offline",
    "apps/console/test/agents",
    "apps/console/test/languages",
    "apps/console/test/webhooks",
  ],
  "starts, kills and restarts processes, each of which takes seconds of a processor": [
    "apps/server/test/two-processes",
    "apps/server/test/folder-removal",
    "apps/server/test/alerts",
    "apps/server/test/neighbours",
    "apps/server/test/uploads",
    "apps/server/test/data-folder",
    "apps/server/test/restore",
    "apps/server/test/hostile-mail",
    "apps/server/test/mail-server-checks",
    "apps/server/test/arrivals",
    "apps/server/test/protocol-log",
    "apps/server/test/private-authority",
    "apps/server/test/oauth-secrets",
    "apps/server/test/lost-answers",
    "apps/server/test/bounces",
    "apps/server/test/stored-credentials",
    "apps/server/test/process",
    "apps/server/test/embedding",
    "apps/server/test/embedded-accounts",
    "apps/server/test/discovery-egress",
    "apps/server/test/mime-worker",
    "apps/server/test/identities",
    "apps/server/test/keys",
    "apps/server/test/sent-copy",
    "apps/server/test/moved-roles",
  ],
  "waits for the real deadlines of connections and servers": [
    "adapters/imap/test/providers",
    "adapters/imap/test/rewritten-server",
    "adapters/imap/test/wire-faults",
    "adapters/imap/test/half-open",
    "adapters/imap/test/polls",
  ],
  "fills tables, or waits for a server that is away": [
    "adapters/sql/test/functions",
    "adapters/sql/test/sqlite",
    "adapters/sql/test/postgres",
  ],
  "plays 300 histories of 500 operations of other mail clients": ["apps/harness/test/foreign-clients"],
  "runs each case on each database": [
    "apps/harness/test/webhook-neighbours",
    "apps/harness/test/conditions",
    "apps/harness/test/webhook-races",
  ],
  "lets an agent read 315 attacks under each of nine policies": ["apps/harness/test/injected-mail"],
  "changes mailboxes of real servers for minutes, with kills and cuts": ["apps/server/test/foreign-clients"],
  "cuts and kills what a client is connected to": ["packages/client/test/client"],
  "builds, publishes and installs all packages, and runs them on two versions of Node.js, Bun and Deno": [
    "packages/testkit/test/packages",
  ],
  "changes 10,000 messages three times on each database": ["adapters/sql/test/many-messages"],
  "plants faults of each kind for guards that run a minute each": ["packages/testkit/test/boundaries"],
};

const ofFiles = [
  ...Object.entries(WITH_FURTHER_CASES),
  ...Object.entries(ONLY_AT_NIGHT).flatMap(([why, files]) => files.map((file) => [`${file}.nightly.test.ts`, why])),
].map(([file, why]) =>
  named(
    file.replace(/^\w+\/(\w+)\/test\/(.*?)(?:\.(?:ci|integration|nightly))*\.test\.ts$/, "$1/$2"),
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

/** Returns ranges of `each` numbers from `first` on, `count` numbers in total. */
const ranges = (first, count, each) =>
  Array.from({ length: Math.ceil(count / each) }, (_, n) => [first + n * each, Math.min(each, count - n * each)]);

/** The numbers of seeds; CI plays 1 and 7. */
const ofSeeds = [...ranges(1, 60, 60), ...ranges(1_001, 2_000, 100)].map(([from, seeds]) =>
  named(
    `simulation/${from}`,
    ["npm", "run", "--silent", "simulate", "--", "--from", from, "--seeds", seeds],
    "CI plays 2 seeds",
  ),
);

const ofHistories = ranges(0, 60, 6).map(([from, count]) =>
  named(
    `histories/${from + 1}`,
    ["npm", "run", "--silent", "test:histories", "--", "--from", from, "--count", from + count],
    "takes a minute of real time each",
  ),
);

/** The pieces of mutants. Seed 101 is reserved for measurements: no test is written for its survivors. */
const ofMutants = ranges(0, 300, 50).map(([from, count]) =>
  named(
    `mutants/${from + 1}`,
    ["npm", "run", "--silent", "mutants", "--", "--seed", 101, "--from", from, "--count", from + count, "--least", 70],
    "runs the tests near each fault",
  ),
);

/** The pieces of fuzzing, with a million inputs in total. */
const ofFuzz = [1, 2, 3, 4].map((seed) =>
  named(
    `fuzz/${seed}`,
    ["npm", "run", "--silent", "fuzz", "--", "--seed", seed, "--count", 250_000],
    "CI reads 2,000 inputs with each reader",
  ),
);

/** The runs that are too long for CI, in pieces of at most ten minutes on two idle cores; each with the reason. */
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
