import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../src/simulate-main.ts", import.meta.url));
const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** As in `npm run simulate`. */
const NODE = ["--max-semi-space-size=64", "--single-threaded", "--conditions=@postern/source"];
const commandOf = (options: ReadonlyArray<string>) => [...NODE, MAIN, ...options];

/** Runs `npm run simulate` with these options. */
const simulated = (...options: ReadonlyArray<string>) =>
  spawnSync(process.execPath, commandOf(options), { cwd: REPOSITORY, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

/** Runs it beside others; returns what it told. */
const told = (...options: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, commandOf(options), { cwd: REPOSITORY }, (_error, _trace, stderr) => resolve(stderr));
  });

it(
  "holds in 12 seeds, gives the same trace for 4 of them again, and reports their faults",
  { timeout: 900_000 },
  async () => {
    const halves = [told("--from", "1", "--seeds", "4", "--twice"), told("--from", "5", "--seeds", "8")];
    const all = await Promise.all(halves);
    expect(all.filter((one) => one.includes("fails:"))).toEqual([]);
    for (const [n, count] of [4, 8].entries()) {
      expect(all[n]).toMatch(new RegExp(`^${count} seeds at 3 nodes, [\\d.]+ seeds/s`));
      expect(all[n]).toMatch(/crash: \d+/);
    }
  },
);

it("writes only the trace to stdout, the same bytes in another process", { timeout: 300_000 }, () => {
  const [first, second] = [simulated("--seed", "7", "--trace"), simulated("--seed", "7", "--trace")];
  expect(first.stdout.length).toBeGreaterThan(2000);
  expect(second.stdout).toBe(first.stdout);
  expect(first.stdout).not.toContain("seeds/s");
});

it("lets a planted bug through without the invariant that finds it", { timeout: 120_000 }, () => {
  const planted = ["--plant", "sent-copy-dropped", "--seed", "1"];
  expect(simulated(...planted).status).toBe(1);
  expect(simulated(...planted, "--without", "sending").status).toBe(0);
});

it("refuses wrong options with exit code 2", { timeout: 60_000 }, () => {
  expect(simulated("--nodes", "9").status).toBe(2);
  expect(simulated("--plant", "no-such-plant").status).toBe(2);
  expect(simulated("--without", "no-such-invariant").status).toBe(2);
});
