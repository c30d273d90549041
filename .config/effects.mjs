// Reports effects that nothing runs, in the programs of TypeScript that are named. One after the other: the tool is
// fetched when it first runs, because `npm start` can do without its 160 MB, and npx cannot fetch it twice at once.
import { spawnSync } from "node:child_process";

const DIAGNOSTICS = "npx --yes @effect/tsgo@0.45.0 diagnostics --severity error,warning --strict --project".split(" ");

const [command, ...options] = DIAGNOSTICS;
for (const program of process.argv.slice(2)) {
  const { status } = spawnSync(command, [...options, `${program}/tsconfig.json`], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
