// Runs the contracts of a mailbox through every profile of a mail server, and writes the results to docs/providers.md.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROFILES } from "../packages/testkit/src/quirks/profiles.ts";
import { REAL_SERVERS } from "../packages/testkit/src/quirks/real-servers.ts";

const PAGE = "docs/providers.md";
const [BEGIN, END] = ["<!-- Written by `npm run test:providers`. -->\n", "\n<!-- End of the results. -->"];
const SERVERS = [...PROFILES, ...REAL_SERVERS];
/** A profile with one rule that no server follows. Its run must fail, otherwise the runs prove nothing. */
const NONSENSE = "nonsense";
const AT_ONCE = 2;

const folder = mkdtempSync(join(tmpdir(), "providers-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Returns the failed tests of a profile by contract; undefined if no test ran. */
const run = (profile, degrades = {}) =>
  new Promise((done) => {
    const file = join(folder, `${profile}.json`);
    const options = [
      "run",
      "--config",
      ".config/vitest.providers.config.ts",
      "--reporter=json",
      `--outputFile=${file}`,
    ];
    const child = spawn("vitest", options, { stdio: "ignore", env: { ...process.env, PROFILE: profile } });
    child.on("close", () => {
      const { testResults } = JSON.parse(readFileSync(file, "utf8"));
      const contracts = new Map();
      for (const { ancestorTitles, status, title } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
        const contract = ancestorTitles[1] ?? ancestorTitles[0];
        const failed = contracts.get(contract) ?? [];
        if (status === "failed" && degrades[contract]?.tests?.test(title) !== true) failed.push(title);
        if (status === "passed" || status === "failed") contracts.set(contract, failed);
      }
      done(contracts);
    });
  });

const wanted = process.argv.slice(2);
const profiles = SERVERS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const results = new Map();
const waiting = [...profiles, { name: NONSENSE }];
const work = async () => {
  for (let profile = waiting.shift(); profile !== undefined; profile = waiting.shift()) {
    const { name, degrades } = profile;
    const contracts = await run(name, degrades);
    results.set(name, contracts);
    const failures = [...contracts].flatMap(([contract, failed]) => failed.map((title) => `  ${contract}: ${title}`));
    console.log([`${name}: ${contracts.size} contracts, ${failures.length} failed tests`, ...failures].join("\n"));
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, work));

const isGreen = (name) =>
  results.get(name).size > 0 && [...results.get(name).values()].every((failed) => failed.length === 0);
if (isGreen(NONSENSE)) throw new Error("the profile with a rule of nonsense passes: the contracts prove nothing");

const page = readFileSync(PAGE, "utf8");
const [before, rest] = page.split(BEGIN);
const [table, after] = rest.split(END);
const CONTRACTS = [...results.get(profiles[0].name).keys()];
const known = new Map(table.split("\n").map((row) => [/^\| `(.*?)` /.exec(row)?.[1], row]));
const rowOf = ({ name, server, degrades = {} }) => {
  const tried = results.get(name);
  if (tried === undefined)
    return known.get(name) ?? `| \`${name}\` | ${server} |${" not run |".repeat(CONTRACTS.length)}`;
  const cells = CONTRACTS.map((contract) => {
    if (degrades[contract]?.isNotRun === true) return `not run: ${degrades[contract].because}`;
    if (tried.get(contract)?.length !== 0) return "**fails**";
    return degrades[contract] === undefined ? "green" : `degrades: ${degrades[contract].because}`;
  });
  return `| \`${name}\` | ${server} | ${cells.join(" | ")} |`;
};
const head = [
  `| profile | mail server | ${CONTRACTS.join(" | ")} |`,
  `| --- | --- |${" --- |".repeat(CONTRACTS.length)}`,
];
writeFileSync(PAGE, [before, BEGIN, "\n", [...head, ...SERVERS.map(rowOf)].join("\n"), "\n", END, after].join(""));
process.exitCode = profiles.every(({ name }) => isGreen(name)) ? 0 : 1;
