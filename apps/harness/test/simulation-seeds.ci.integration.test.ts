import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nightly } from "@postern/testkit";
import { expect, it } from "vitest";
import { runSeed } from "../src/cluster/run-seed.ts";
import { seedOptions } from "../src/cluster/seed-options.ts";

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

// Each seed found a bug of the product, named here, in the world of its time, in which no client came after the faults.
// `docs/simulation.md` tells how.
it.each([
  [2, 3, "a watch without a reason that ends keeps no node busy"],
  [5, 3, "a refused save of a draft leaves no copy that becomes the draft"],
  [6, 3, "a draft is sent in the version that was read"],
  [7, 3, "a copy in Sent that may be ours does not stand for those of the server"],
  [12, 3, "a worker that claims its own row again stops the earlier item"],
  [57, 3, "a worker waits after it skipped locked rows"],
  [58, 3, "a claim whose answer was lost is noticed when its lease expires"],
  [78, 3, "no connection for a message is opened after its lease ended"],
  [300_947, 4, "a version of a draft that may have been sent is not sent again"],
  [400_123, 3, "the copy of a save in progress is left to that save"],
  [402_217, 4, "the token of a watch stays fresh though the store was away"],
])("holds in seed %i at %i nodes: %s", (seed, nodes) => {
  expect(runSeed({ ...seedOptions(seed, nodes, undefined), comes: () => false }).violations).toEqual([]);
});
