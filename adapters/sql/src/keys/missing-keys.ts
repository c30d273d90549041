import { type StoreUnavailable, yieldToOthers } from "@postern/core/shared";
import { Clock, Effect } from "effect";
import { Database } from "../database/Database.ts";
import { missingKeyOf, RecordCipher } from "../database/RecordCipher.ts";
import { ROWS_AFTER, rowsAfter, SEALED } from "./sealed-tables.ts";

/**
 * Returns the sorted names of the keys that stored secrets need and this process lacks (spec 3.7). Reads all stored
 * secrets.
 */
export const missingKeys: Effect.Effect<ReadonlyArray<string>, StoreUnavailable, Database | RecordCipher> = Effect.gen(
  function* () {
    const { query } = yield* Database;
    const cipher = yield* RecordCipher;
    const missing = new Set<string>();
    for (const table of SEALED) {
      for (let key = ""; ;) {
        const rows = yield* query((db) => rowsAfter(db, table, key));
        for (const { sealed } of rows) {
          const kid = yield* missingKeyOf(cipher, sealed);
          if (kid !== undefined) missing.add(kid);
        }
        if (rows.length < ROWS_AFTER) break;
        key = rows.at(-1)!.key;
        yield* yieldToOthers;
      }
    }
    return [...missing].toSorted();
  },
);

/** Returns the number of running processes on this database that do not report this key. */
export const processesWithout = Effect.fnUntraced(function* (
  kid: string,
): Effect.fn.Return<number, StoreUnavailable, Database> {
  const { query } = yield* Database;
  const now = yield* Clock.currentTimeMillis;
  const nodes = yield* query((db) =>
    db.selectFrom("node").select("sealing_keys").where("alive_until", ">", now).execute(),
  );
  return nodes.filter(({ sealing_keys: keys }) => keys === null || !keys.split(",").includes(kid)).length;
});
