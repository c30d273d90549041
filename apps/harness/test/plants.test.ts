import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
const PLANTS = globSync("apps/harness/plants/*/*.patch", { cwd: ROOT }).toSorted();

/** Returns why one of these patches, each of other files, does not apply; nothing if all do. */
const refusalOf = (plants: ReadonlyArray<string>) =>
  new Promise<ReadonlyArray<string>>((settle) =>
    execFile("git", ["apply", "--check", ...plants], { cwd: ROOT }, (error, _, complaint) =>
      settle(error === null ? [] : [complaint]),
    ),
  );

/** Divides patches into groups in which each patch changes other files, because starting git takes longer than a check. */
const apart = (plants: ReadonlyArray<string>) => {
  const groups: Array<{ readonly plants: Array<string>; readonly files: Set<string> }> = [];
  for (const plant of plants) {
    const files = new Set(readFileSync(resolve(ROOT, plant), "utf8").match(/^--- .*/gm));
    const group = groups.find((one) => ![...files].some((file) => one.files.has(file)));
    if (group === undefined) groups.push({ plants: [plant], files });
    else {
      group.plants.push(plant);
      for (const file of files) group.files.add(file);
    }
  }
  return groups.map((group) => group.plants);
};

describe("The bugs in apps/harness/plants", () => {
  it("apply to the current sources", async () => {
    expect(PLANTS.length).toBeGreaterThan(0);
    expect((await Promise.all(apart(PLANTS).map(refusalOf))).flat()).toEqual([]);
  });
});
