import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ONLY_AT_NIGHT, WITH_FURTHER_CASES } from "../../../.config/nightly-pieces.mjs";

it("runs at night the cases that no test of CI runs, each file with its reason", () => {
  const files = globSync("{packages,adapters,apps}/*/test/**/*.test.ts").filter(
    (file) => !file.endsWith(".nightly.test.ts") && /\bnightly\(/.test(readFileSync(file, "utf8")),
  );
  expect(Object.keys(WITH_FURTHER_CASES).toSorted()).toEqual(files.toSorted());
});

it("runs at night the files that CI does not run, each with its reason", () => {
  const files = globSync("{packages,adapters,apps}/*/test/**/*.nightly.test.ts");
  const listed = Object.values(ONLY_AT_NIGHT).flat();
  expect(listed.map((file) => `${file}.nightly.test.ts`).toSorted()).toEqual(files.toSorted());
});
