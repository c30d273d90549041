import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { makeNewShrinkable, makeShrinkable, shrink } from "../src/sqlite/free-pages.ts";
import { temporaryFolder } from "./databases.ts";

const ROWS = 3_000;

/** Makes a file of 24 MB that is almost entirely free. */
const mostlyFree = (database: DatabaseSync) => {
  database.exec(`drop table if exists filler; create table filler (bytes blob);
    with recursive n(n) as (select 1 union all select n + 1 from n where n < ${ROWS})
    insert into filler select zeroblob(8000) from n;
    delete from filler where rowid < ${ROWS}`);
};

describe("free pages of the embedded database", () => {
  for (const how of ["new", "made before"] as const) {
    it.effect(`of a file that is ${how} are returned in slices`, () =>
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "postern.db");
        const database = new DatabaseSync(file);
        if (how === "new") makeNewShrinkable(database);
        mostlyFree(database);
        const grown = statSync(file).size;
        yield* makeShrinkable(database);
        // The rebuild returned the pages that were free before.
        if (how === "made before") mostlyFree(database);
        let slices = 0;
        while (shrink(database)) slices++;
        assert.isAbove(slices, 10);
        assert.isBelow(statSync(file).size, grown / 3);
        assert.isFalse(shrink(database));
        assert.strictEqual(database.prepare("select count(*) as n from filler").get()?.["n"], 1);
        database.close();
      }),
    );
  }
});
