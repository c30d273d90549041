import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
const PLANTS = globSync("apps/harness/plants/*/*.patch", { cwd: ROOT }).toSorted();

/** Returns why a patch does not apply; nothing if it does. */
const refusalOf = (plant: string) =>
  new Promise<ReadonlyArray<string>>((settle) =>
    execFile("git", ["apply", "--check", plant], { cwd: ROOT }, (error) =>
      settle(error === null ? [] : [`${plant}: ${error.message}`]),
    ),
  );

describe("The bugs in apps/harness/plants", () => {
  it("apply to the current sources", async () => {
    expect(PLANTS.length).toBeGreaterThan(0);
    expect((await Promise.all(PLANTS.map(refusalOf))).flat()).toEqual([]);
  });
});
