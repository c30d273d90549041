// Runs every guard of the house, fast ones first, and says what to do about the first that fails.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const workspaces = ["packages", "adapters", "apps"].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((workspace) => existsSync(`${workspace}/tsconfig.json`)),
);
const sources = workspaces.map((workspace) => `${workspace}/src`);
const libraries = workspaces.filter((workspace) => !workspace.startsWith("apps/"));

/** Guards that find nothing because they looked at nothing must not look green. */
const LEAST_MODULES = 100;

const cruised = (output) => Number(/(\d+) modules/.exec(output)?.[1] ?? 0) >= LEAST_MODULES;
const diagnosed = (output) => !/Checked 0 files/.test(output);
const always = () => true;

const guards = [
  ["formatting", [["oxfmt", "--check", ...workspaces, ".config"]], always, "npm run format"],
  ["lint", [["oxlint", "--type-aware", ...workspaces]], always, "mend what it names; .oxlintrc.json says why"],
  [
    "boundaries",
    [["depcruise", "--config", ".dependency-cruiser.mjs", ...sources]],
    cruised,
    "move the import; docs/architecture.md has the arrows",
  ],
  [
    "types",
    workspaces.map((workspace) => ["tsc", "-p", workspace]),
    always,
    "a package imports only what its package.json lists",
  ],
  [
    "effects",
    workspaces.map((workspace) => [
      "effect-tsgo",
      ...["diagnostics", "--project", `${workspace}/tsconfig.json`, "--severity", "error,warning", "--strict"],
    ]),
    diagnosed,
    "an effect that nobody runs does nothing",
  ],
  ["unused code", [["knip", "--config", ".config/knip.json"]], always, "delete what nothing uses"],
  ["publishable", libraries.map((library) => ["publint", library, "--strict"]), always, "mend its package.json"],
];

let failed = 0;
for (const [name, commands, looked, remedy] of guards) {
  const started = performance.now();
  const runs = commands.map(([command, ...options]) =>
    spawnSync(`node_modules/.bin/${command}`, options, { encoding: "utf8" }),
  );
  const bad = runs.filter(({ status, stdout, stderr }) => status !== 0 || !looked(stdout + stderr));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${bad.length === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (bad.length === 0) continue;
  failed++;
  for (const { stdout, stderr } of bad) console.log((stdout + stderr).trim());
  console.log(`→ ${name}: ${remedy}`);
}
if (failed > 0) {
  console.log(`${failed} of ${guards.length} guards failed.`);
  process.exit(1);
}
