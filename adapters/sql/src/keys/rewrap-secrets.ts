import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";
import { type Kysely, sql } from "kysely";
import { Database } from "../database/Database.ts";
import type { RecordPlace } from "../database/RecordCipher.ts";
import { ROWS_AFTER, rowsAfter, SEALED, type SealedRow, type SealedTable } from "./sealed-tables.ts";
import type { Tables } from "../tables/Tables.ts";

/** Reseals a value under the active key, and returns the name of a value's key. */
export interface Rewrapper {
  readonly activeKid: string;
  readonly kidOf: (sealed: string) => Effect.Effect<string, Error>;
  readonly rewrap: (sealed: string, place: RecordPlace) => Effect.Effect<string, Error>;
}

/** The result of a key rotation for one table. */
export interface Rewrapped {
  readonly table: string;
  readonly moved: number;
  readonly unreadable: number;
  /** The number of values that were already under the active key. */
  readonly untouched: number;
}

/** Replaces a value, unless another process changed it in the meantime. */
const replace = (db: Kysely<Tables>, { table, column }: SealedTable, { key, sealed }: SealedRow, by: string) =>
  sql`update ${sql.table(table)} set sealed = ${by} where ${sql.id(column)} = ${key} and sealed = ${sealed}`.execute(
    db,
  );

/**
 * Moves every sealed value to the active key, even while services run. The move may be interrupted and repeated:
 * finished rows keep their value, and rows that a service changed meanwhile are already under the active key. Calls
 * `progress` after each batch.
 */
export const rewrapSecrets = Effect.fnUntraced(function* (
  rewrapper: Rewrapper,
  progress: (table: string, seen: number) => Effect.Effect<void>,
): Effect.fn.Return<ReadonlyArray<Rewrapped>, StoreUnavailable, Database> {
  const { query } = yield* Database;

  const rewrapTable = Effect.fnUntraced(function* (sealedTable: SealedTable) {
    const { table, place } = sealedTable;
    const counts = { moved: 0, unreadable: 0, untouched: 0 };
    const rewrapRow = Effect.fnUntraced(function* (row: SealedRow) {
      const isActive = (yield* rewrapper.kidOf(row.sealed)) === rewrapper.activeKid;
      const sealed = yield* rewrapper.rewrap(row.sealed, place(row.key));
      return isActive ? undefined : sealed;
    });
    for (let key = ""; ;) {
      const rows = yield* query((db) => rowsAfter(db, sealedTable, key));
      for (const row of rows) {
        const sealed = yield* Effect.result(rewrapRow(row));
        if (sealed._tag === "Failure") counts.unreadable++;
        else if (sealed.success === undefined) counts.untouched++;
        else {
          const text = sealed.success;
          yield* query((db) => replace(db, sealedTable, row, text));
          counts.moved++;
        }
      }
      yield* progress(table, counts.moved + counts.unreadable + counts.untouched);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_AFTER) return { table, ...counts };
      key = last.key;
    }
  });

  return yield* Effect.forEach(SEALED, rewrapTable);
});
