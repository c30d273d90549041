// Runs all guards, or the named ones, and explains each failure.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, resolve } from "node:path";

const workspaces = ["packages", "adapters", "apps"].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((workspace) => existsSync(`${workspace}/tsconfig.json`)),
);
const sources = workspaces
  .flatMap((workspace) => [`${workspace}/src`, `${workspace}/test`])
  .filter((folder) => existsSync(folder));

/** TypeScript's programs: one for the code that runs on Node, and one for each workspace with other globals. */
const programs = [".config", "packages/core", "packages/client", "apps/console"];

/** Returns whether a guard looked at enough modules: a guard that checked nothing must not succeed. */
const hasCruisedModules = (output) => Number(/(\d+) modules/.exec(output)?.[1] ?? 0) >= 100;
const sawEffects = (output) => /looked at effects: [1-9]/.test(output);
const hasScannedFiles = (least) => (output) => Number(/looked at (\d+) files/.exec(output)?.[1] ?? 0) >= least;
const always = () => true;

const guards = [
  ["formatting", [["oxfmt", "--check", ...workspaces, "apps/examples", ".config"]], always, "npm run format"],
  ["lint", [["oxlint", "--type-aware", ...workspaces]], always, "fix the problems listed; .oxlintrc.json says why"],
  [
    "boundaries",
    [["depcruise", "--config", ".dependency-cruiser.mjs", ...sources]],
    hasCruisedModules,
    "move the import; docs/architecture.md has the arrows",
  ],
  [
    "types",
    [["node", ".config/types.mjs", ...programs]],
    sawEffects,
    "fix the type errors; list an import that is not found in package.json; run the effect, yield it or return it",
  ],
  ["unused code", [["knip", "--config", ".config/knip.json"]], always, "delete what nothing uses"],
  ["requests", [["node", ".config/request-spreads.mjs"]], hasScannedFiles(100), "name what of the request goes on"],
  ["citations", [["node", ".config/spec-citations.mjs"]], hasScannedFiles(100), "cite a section that docs/spec has"],
  [
    "promises",
    [["node", ".config/promises.mjs"]],
    hasScannedFiles(300),
    "name the promise, as [S9.3-4], in the test that proves it",
  ],
  [
    "compatibility",
    [["node", ".config/contract-changes.mjs"]],
    (output) => Number(/looked at (\d+) operations/.exec(output)?.[1] ?? 0) >= 60,
    "keep what clients use, or name the operation in CHANGELOG.md under Breaking",
  ],
  ["links", [["node", ".config/links.mjs"]], hasScannedFiles(20), "link to a file and a heading that are there"],
  ["words", [["node", ".config/words.mjs"]], hasScannedFiles(500), "name the actor and the action"],
  ["file names", [["node", ".config/file-names.mjs"]], hasScannedFiles(500), "rename the file, or split it"],
  [
    "imports",
    [["node", ".config/import-paths.mjs"]],
    hasScannedFiles(500),
    "import the package, by what its exports have",
  ],
  [
    "contracts",
    [
      ["node", ".config/port-contracts.mjs"],
      ["node", ".config/package-pages.mjs"],
    ],
    hasScannedFiles(13),
    "write or run the contract of the port, and name it in docs/architecture.md and the README of its adapter",
  ],
  [
    "services",
    [["node", ".config/half-services.mjs"]],
    hasScannedFiles(100),
    "make the generator a Context.Service with a layer",
  ],
  [
    "rules",
    [["node", ".config/handler-rules.mjs"]],
    hasScannedFiles(15),
    "put what an input may be into rules.ts of its domain in the core",
  ],
  [
    "figures",
    [["node", ".config/figures.mjs"]],
    hasScannedFiles(1000),
    "remove as much as the change adds, such as a name that index.ts need not export; if the change needs it, raise the maximum in .config/figures.mjs in the same commit, with the reason in its body",
  ],
];

/** The environment with the tools of this installation before those of the machine. */
const env = { ...process.env, PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter) };

const run = ([command, ...options]) =>
  new Promise((done) => {
    execFile(command, options, { env, maxBuffer: Infinity }, (error, stdout, stderr) => {
      done({ failed: error !== null, output: stdout + stderr });
    });
  });

/** Starts functions in this order, as many at a time as there are processors; returns a promise of each result. */
const inOrder = (functions) => {
  const all = functions.map((one) => ({ one, ...Promise.withResolvers() }));
  const waiting = all.values();
  const work = async () => {
    for (const { one, resolve } of waiting) resolve(await one());
  };
  for (let n = availableParallelism(); n > 0; n--) void work();
  return all.map(({ promise }) => promise);
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !guards.some(([guard]) => guard === name));
if (unknown.length > 0) {
  console.log(`No guard ${unknown.join(", ")}; there are: ${guards.map(([guard]) => guard).join(", ")}.`);
  process.exit(1);
}
const chosen = asked.length === 0 ? guards : guards.filter(([guard]) => asked.includes(guard));

const runTimed = async (command) => {
  const started = performance.now();
  return { ...(await run(command)), seconds: (performance.now() - started) / 1000 };
};
// Many guards use one processor, so several run at a time.
const runs = inOrder(chosen.flatMap(([, commands]) => commands.map((command) => () => runTimed(command))));

let failed = 0;
for (const [name, commands, looked, remedy] of chosen) {
  const done = await Promise.all(runs.splice(0, commands.length));
  const bad = done.filter(({ failed, output }) => failed || !looked(output));
  const seconds = done.reduce((sum, one) => sum + one.seconds, 0).toFixed(1);
  console.log(`${bad.length === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (bad.length === 0) continue;
  failed++;
  for (const { output } of bad) console.log(output.trim());
  console.log(`→ ${name}: ${remedy}`);
}
if (failed > 0) {
  console.log(`${failed} of ${chosen.length} guards failed.`);
  process.exit(1);
}
