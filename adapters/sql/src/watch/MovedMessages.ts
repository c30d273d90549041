import type { AccountId } from "@postern/core/shared";
import { MovedMessages } from "@postern/core/watch";
import { Array, Effect, Layer } from "effect";
import { sql } from "kysely";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import { limitsOfMoves } from "./limits-of-moves.ts";
import {
  begunOf,
  begunRow,
  FROM,
  inStatements,
  isAt,
  type LocationRow,
  locationsOf,
  type MessagesAt,
  NOW,
  placesOf,
} from "./moved-rows.ts";
import { settleMoves } from "./settle-moves.ts";

/**
 * Maximum number of rows in one statement, which has a limited number of parameters (SQLite: 32,766, PostgreSQL:
 * 65,535).
 */
const ROWS_AT_ONCE = 1_000;

const MOVED = sql.table("moved_message");
const BEGUN = sql.table("begun_move");
const LOCATIONS = sql`folder_id, uid_validity, uid, to_folder_id, to_uid_validity, to_uid, id_folder_id, id_uid_validity, id_uid`;

type FoundRow = LocationRow | { readonly uid: null };

/** Returns the query for the locations that these messages left or have, and a row without a UID if the account has begun moves. */
const findAt = (account: AccountId, places: ReadonlyArray<MessagesAt>) => sql<FoundRow>`
  select ${LOCATIONS} from ${MOVED} where ${isAt(account, NOW, places)}
  union select ${LOCATIONS} from ${MOVED} where ${isAt(account, FROM, places)}
  union select null, null, null, null, null, null, null, null, null
    where exists (select 1 from ${BEGUN} where account = ${account})`;

/**
 * The locations that messages left, in the table `moved_message`; the moves before their outcome, in `begun_move` (spec
 * 5.2).
 */
export const layer: Layer.Layer<MovedMessages, never, Database> = Layer.effect(
  MovedMessages,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, transaction } = database;
    // Each page of a listing runs this query.
    const findInOne = compiledWith((db, { account, ...at }: MessagesAt & { readonly account: AccountId }) => ({
      compile: () => findAt(account, [at]).compile(db),
    }));

    return MovedMessages.of({
      begin: Effect.fn("MovedMessages.begin")(function* (account, moves) {
        for (const some of Array.chunksOf(moves, ROWS_AT_ONCE)) {
          yield* query((db) =>
            db
              .insertInto("begun_move")
              .values(some.map((move) => begunRow(account, move)))
              .onConflict((conflict) =>
                conflict
                  .columns(["account", "folder_id", "uid_validity", "uid", "to_folder_id"])
                  .doUpdateSet((row) => ({
                    lowest_uid: row.ref("excluded.lowest_uid"),
                    begun_at: row.ref("excluded.begun_at"),
                  })),
              )
              .execute(),
          );
        }
      }, transaction),

      settle: Effect.fn("MovedMessages.settle")(function* (account, moves, movedAt) {
        for (const some of Array.chunksOf(moves, ROWS_AT_ONCE)) yield* settleMoves(database, account, some, movedAt);
      }, transaction),

      giveUp: Effect.fn("MovedMessages.giveUp")(function* (account, moves) {
        for (const some of Map.groupBy(moves, (move) => `${move.begunAt} ${move.toFolderId}`).values()) {
          const { toFolderId, begunAt } = some[0]!;
          for (const part of Array.chunksOf(some, ROWS_AT_ONCE)) {
            const places = placesOf(part.map(({ from }) => from));
            yield* query((db) =>
              sql`delete from ${BEGUN} where ${isAt(account, FROM, places)}
                and to_folder_id = ${toFolderId} and begun_at = ${begunAt}`.execute(db),
            );
          }
        }
      }, transaction),

      find: Effect.fn("MovedMessages.find")(function* (account, places) {
        const found = yield* Effect.forEach(inStatements(places), (asked) =>
          query((db) =>
            asked.length === 1 ? findInOne(db, { account, ...asked[0]! }) : findAt(account, asked).execute(db),
          ),
        );
        const rows = found.flatMap((one) => one.rows);
        const left = rows.flatMap((row) => (row.uid === null ? [] : [locationsOf(row)]));
        return { left, isMoving: left.length < rows.length };
      }),

      listBegun: Effect.fn("MovedMessages.listBegun")(function* (account) {
        const rows = yield* query((db) =>
          db.selectFrom("begun_move").selectAll().where("account", "=", account).execute(),
        );
        return rows.map(begunOf);
      }),

      // Reads one index entry for each folder, not one for each message.
      listFolders: Effect.fn("MovedMessages.listFolders")(function* (account: AccountId) {
        const { rows } = yield* query((db) =>
          sql<{ readonly id: string }>`
            with recursive left_folder(id) as (
              select min(folder_id) from ${MOVED} where account = ${account}
              union all
              select (select min(folder_id) from ${MOVED} where account = ${account} and folder_id > left_folder.id)
              from left_folder where left_folder.id is not null
            ) select id from left_folder where id is not null
            union select folder_id from ${BEGUN} where account = ${account}`.execute(db),
        );
        return rows.map(({ id }) => id);
      }),

      ...limitsOfMoves(query),
    });
  }),
);
