import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../src/simulate-main.ts", import.meta.url));
const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs `npm run simulate` with these options. */
const simulated = (...options: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["--conditions=@postern/source", MAIN, ...options], {
    cwd: REPOSITORY,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });

it("holds in 100 seeds, and reports their faults", { timeout: 900_000 }, () => {
  const { status, stderr } = simulated("--seeds", "100");
  expect(stderr).not.toMatch(/fails:/);
  expect(status).toBe(0);
  expect(stderr).toMatch(/100 seeds at 3 nodes, [\d.]+ seeds\/s/);
});

it("writes only the trace to stdout, the same bytes each time", { timeout: 300_000 }, () => {
  const [first, second] = [simulated("--seed", "7", "--trace"), simulated("--seed", "7", "--trace")];
  expect(first.stdout.length).toBeGreaterThan(2000);
  expect(second.stdout).toBe(first.stdout);
  expect(first.stdout).not.toContain("seeds/s");
});

it("refuses wrong options with exit code 2", { timeout: 60_000 }, () => {
  expect(simulated("--nodes", "9").status).toBe(2);
  expect(simulated("--plant", "no-such-plant").status).toBe(2);
});
