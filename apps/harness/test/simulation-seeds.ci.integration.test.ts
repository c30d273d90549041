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

it("holds at 3 and at 4 nodes, and reports the faults", { timeout: 300_000 }, () => {
  for (const nodes of ["3", "4"]) {
    const { stderr } = simulated("--from", "1", "--seeds", "1", "--nodes", nodes);
    expect(stderr).not.toContain("fails:");
    expect(stderr).toMatch(new RegExp(`^1 seed at ${nodes} nodes, [\\d.]+ seeds/s`));
    expect(stderr).toMatch(/crash: \d+/);
  }
});

it("writes only the trace to stdout, the same bytes in another process", { timeout: 300_000 }, () => {
  const [first, second] = [1, 2].map(() => simulated("--seed", "7", "--nodes", "2", "--trace").stdout);
  expect(first!.length).toBeGreaterThan(2000);
  expect(second).toBe(first);
  expect(first).not.toContain("seeds/s");
});

it.each(nightly(["removal-not-reported"]))("lets %s through without the invariant that finds it", (plant) => {
  const planted = ["--plant", plant, "--seed", "1"];
  expect(simulated(...planted).status).toBe(1);
  expect(simulated(...planted, "--without", "applications").status).toBe(0);
});

it("refuses wrong options with exit code 2", () => {
  expect(simulated("--nodes", "9").status).toBe(2);
  expect(simulated("--plant", "no-such-plant").status).toBe(2);
  expect(simulated("--without", "no-such-invariant").status).toBe(2);
});
