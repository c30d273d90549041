// Runs the pieces that are too long for CI, and writes the results to docs/nightly.md.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PIECES } from "./nightly-pieces.mjs";

const HELP = `npm run nightly -- [options] [piece ...]

Runs the pieces that have not passed with the committed sources, and writes each result to docs/nightly.md. A run that was
ended goes on where it was. \`faults\` stands for all pieces that begin with faults/.

  --for <minutes>  begins no piece after so many minutes
  --again          runs pieces that passed, too
  --list           lists the pieces with their results, and runs none
  --help

Exit codes: 0 all pieces passed, 1 a piece failed, 2 wrong usage, 3 pieces are left.`;

const PAGE = "docs/nightly.md";
const [BEGIN, END] = ["<!-- Written by `npm run nightly`. -->\n", "\n<!-- End of the results. -->"];
/** The time after which a piece is stopped, in minutes: three times the intended maximum. */
const MAX_MINUTES = 30;
const SOURCES = ["packages", "adapters", "apps", "package-lock.json"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    for: { type: "string", default: "Infinity" },
    again: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const wanted = PIECES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((one) => name === one || name.startsWith(`${one}/`)),
);
if (wanted.length === 0 || Number.isNaN(Number(values.for))) {
  console.error(HELP);
  process.exit(2);
}

const git = (...options) => execFileSync("git", options, { encoding: "utf8" });
if (git("status", "--porcelain", ...SOURCES) !== "") {
  console.error("Commit the sources first: a result belongs to a commit.");
  process.exit(2);
}
const sources = createHash("sha1")
  .update(git("ls-tree", "HEAD", ...SOURCES))
  .digest("hex")
  .slice(0, 10);

const [before, rest] = readFileSync(PAGE, "utf8").split(BEGIN);
const [table, after] = rest.split(END);
/** Results by piece: sources, day, minutes, outcome. */
const results = new Map(
  [...table.matchAll(/^\| `([^`]+)` \| [^|]+ \| (.+) \|$/gm)].map(([, name, cells]) => [name, cells.split(" | ")]),
);
const hasPassed = (name) => results.get(name)?.[0] === sources && results.get(name)[3] === "passed";

const write = () => {
  const rows = PIECES.map(({ name, why }) => {
    const cells = results.get(name) ?? ["", "", "", "not run"];
    return `| \`${name}\` | ${why} | ${cells.join(" | ")} |`;
  });
  const head = [
    "| piece | why not in CI | sources | day | minutes | result |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  writeFileSync(PAGE, [before, BEGIN, "\n", [...head, ...rows].join("\n"), "\n", END, after].join(""));
};

const folder = mkdtempSync(join(tmpdir(), "nightly-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs a piece in a separate process group; returns its outcome, and prints the end of its output if it failed. */
const run = ({ name, command: [program, ...operands], env }) =>
  new Promise((done) => {
    const log = join(folder, "output");
    const output = openSync(log, "w");
    const child = spawn(program, operands.map(String), {
      stdio: ["ignore", output, output],
      detached: true,
      env: { ...process.env, ...env },
    });
    const stop = () => process.kill(-child.pid, "SIGKILL");
    const late = setTimeout(stop, MAX_MINUTES * 60_000);
    process.once("SIGINT", stop);
    child.once("exit", (code) => {
      clearTimeout(late);
      process.off("SIGINT", stop);
      if (code !== 0) console.error(`${name}:\n${readFileSync(log, "utf8").slice(-4_000)}`);
      done(code === 0 ? "passed" : code === null ? "ended" : "**failed**");
    });
  });

if (values.list) {
  for (const { name } of wanted) console.log(`${hasPassed(name) ? "passed " : "to run "} ${name}`);
  process.exit(0);
}
const began = Date.now();
let [failed, left] = [0, 0];
for (const piece of wanted) {
  if (hasPassed(piece.name) && !values.again) continue;
  if (Date.now() - began > Number(values.for) * 60_000) {
    left++;
    continue;
  }
  const start = Date.now();
  const outcome = await run(piece);
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  results.set(piece.name, [sources, new Date().toISOString().slice(0, 10), minutes, outcome]);
  write();
  if (outcome !== "passed") failed++;
  console.log(`${piece.name}: ${outcome} after ${minutes} minutes`);
}
if (left > 0) console.log(`${left} pieces are left: run it again.`);
process.exitCode = failed > 0 ? 1 : left > 0 ? 3 : 0;
