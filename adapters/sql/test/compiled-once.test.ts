import { DatabaseSync } from "node:sqlite";
import { assert, describe, it } from "@effect/vitest";
import { sql } from "kysely";
import { vi } from "vitest";
import { compiledWith } from "../src/database/compiled-once.ts";
import { directKysely } from "../src/sqlite/direct-kysely.ts";

describe("a query compiled once", () => {
  it("gets the values of each run, and is built once for each length of its list", async () => {
    const db = directKysely(new DatabaseSync(":memory:"));
    const build = vi.fn(
      (_: typeof db, { ids, least }: { readonly ids: ReadonlyArray<string>; readonly least: string }) =>
        sql<{ readonly id: string }>`select value as id from json_each(json_array(${sql.join(ids)}, ${"z"}))
        where value >= ${least} order by value`,
    );
    const select = compiledWith((given: typeof db, values: Parameters<typeof build>[1]) => ({
      compile: () => build(given, values).compile(given),
    }));
    const idsOf = async (ids: ReadonlyArray<string>, least: string) =>
      (await select(db, { ids, least })).rows.map(({ id }) => id);
    assert.deepStrictEqual(await idsOf(["b", "a"], "b"), ["b", "z"]);
    assert.deepStrictEqual(await idsOf(["c", "d"], ""), ["c", "d", "z"]);
    assert.strictEqual(build.mock.calls.length, 1);
    assert.deepStrictEqual(await idsOf(["e"], ""), ["e", "z"]);
    assert.strictEqual(build.mock.calls.length, 2);
  });
});
