import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nightly } from "@postern/testkit";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../src/simulate-main.ts", import.meta.url));
const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** As in `npm run simulate`. */
const NODE = ["--max-semi-space-size=64", "--single-threaded", "--conditions=@postern/source"];

/** Runs `npm run simulate` with these options. */
const simulated = (...options: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [...NODE, MAIN, ...options], {
    cwd: REPOSITORY,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });

it("holds in 3 seeds, and reports their faults", { timeout: 900_000 }, () => {
  const { stderr } = simulated("--from", "1", "--seeds", "3");
  expect(stderr).not.toContain("fails:");
  expect(stderr).toMatch(/^3 seeds at 3 nodes, [\d.]+ seeds\/s/);
  expect(stderr).toMatch(/crash: \d+/);
});

it("writes only the trace to stdout, the same bytes in another process", { timeout: 300_000 }, () => {
  const [first, second] = [simulated("--seed", "7", "--trace"), simulated("--seed", "7", "--trace")];
  expect(first.stdout.length).toBeGreaterThan(2000);
  expect(second.stdout).toBe(first.stdout);
  expect(first.stdout).not.toContain("seeds/s");
});

it.each(nightly(["removal-not-reported"]))("lets %s through without the invariant that finds it", (plant) => {
  const planted = ["--plant", plant, "--seed", "1"];
  expect(simulated(...planted).status).toBe(1);
  expect(simulated(...planted, "--without", "applications").status).toBe(0);
});

it("refuses wrong options with exit code 2", { timeout: 60_000 }, () => {
  expect(simulated("--nodes", "9").status).toBe(2);
  expect(simulated("--plant", "no-such-plant").status).toBe(2);
  expect(simulated("--without", "no-such-invariant").status).toBe(2);
});
