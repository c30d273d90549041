import { readdirSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { migrations } from "../src/migrations/index.ts";

const names = migrations.map(({ name }) => name);

describe("the list of migrations", () => {
  it("contains every file of its folder, in the order of their numbers", () => {
    const folder = new URL("../src/migrations/", import.meta.url);
    const files = readdirSync(folder).filter((file) => /^\d/.test(file));
    assert.deepStrictEqual(
      names,
      files.toSorted().map((file) => file.replace(/\.ts$/, "")),
    );
  });

  it("numbers its steps from 0001 without a gap", () => {
    const numbers = names.map((name) => name.slice(0, 5));
    assert.deepStrictEqual(
      numbers,
      names.map((_, n) => `${String(n + 1).padStart(4, "0")}-`),
    );
  });

  // A database with an unknown name is refused as too new, and one without a name runs the step again.
  it("keeps the names that existing databases recorded", () => {
    assert.deepStrictEqual(names.slice(0, 17), [
      "0001-sign-in-and-folders",
      "0002-sessions",
      "0003-service-secrets",
      "0004-folder-removals",
      "0005-uploads",
      "0006-outgoing-mail",
      "0007-events",
      "0008-webhooks",
      "0009-arrivals",
      "0010-moved-messages",
      "0011-bounces",
      "0012-send-retention",
      "0013-write-probe",
      "0014-removal-attempts",
      "0015-delivery-order",
      "0016-erasures",
      "0017-seen-from",
    ]);
  });
});
