import type { AccountId, MessageRef } from "@postern/core/shared";
import { Array, Effect } from "effect";
import { type OnConflictBuilder, sql } from "kysely";
import type { Database } from "../database/Database.ts";
import type { Tables } from "../tables/Tables.ts";
import type { MovedMessageRow } from "../tables/watch.ts";
import { FROM, isAt, locationsOf, movedRow, NOW, placesOf } from "./moved-rows.ts";

/** Maximum number of left locations kept for one message: the one that its id encodes, and the latest ones. */
const MAX_LOCATIONS = 64;

/** Maximum number of rows in one INSERT. */
const AT_ONCE = 1_000;

type Conflict = OnConflictBuilder<Tables, "moved_message">;
const atFrom = (conflict: Conflict) => conflict.columns(["account", "folder_id", "uid_validity", "uid"]);
const leaveAsIs = (conflict: Conflict) => atFrom(conflict).doNothing();
const replaceNow = (conflict: Conflict) =>
  atFrom(conflict).doUpdateSet((row) => ({
    to_folder_id: row.ref("excluded.to_folder_id"),
    to_uid_validity: row.ref("excluded.to_uid_validity"),
    to_uid: row.ref("excluded.to_uid"),
    id_folder_id: row.ref("excluded.id_folder_id"),
    id_uid_validity: row.ref("excluded.id_uid_validity"),
    id_uid: row.ref("excluded.id_uid"),
  }));

const keyOf = ({ folderId, uidValidity, uid }: MessageRef) => `${uid} ${uidValidity} ${folderId}`;

/**
 * Records moves, at most 1,000. Callers run this function in a transaction, because it locks the earlier locations of
 * the messages, so that a later move of another node is not overwritten.
 */
export const settleMoves = Effect.fnUntraced(function* (
  { query, lockRows }: Database["Service"],
  account: AccountId,
  moves: ReadonlyArray<{ readonly from: MessageRef; readonly now: MessageRef }>,
  movedAt: number,
) {
  const places = placesOf(moves.map(({ from }) => from));
  const earlier = yield* query((db) =>
    lockRows(
      db
        .selectFrom("moved_message")
        .selectAll()
        .where(isAt(account, NOW, places)),
    ).execute(),
  );
  const byNow = Map.groupBy(earlier, (row) => keyOf(locationsOf(row).now));
  const [added, changed, gone] = [[], [], []] as [Array<MovedMessageRow>, Array<MovedMessageRow>, Array<MessageRef>];
  for (const { from, now } of moves) {
    const rows = (byNow.get(keyOf(from)) ?? []).map((row) => ({ ...locationsOf(row), movedAt: row.moved_at }));
    const id = rows[0]?.id ?? from;
    const others = rows.filter((row) => keyOf(row.from) !== keyOf(id)).toSorted((a, b) => b.movedAt - a.movedAt);
    gone.push(...others.splice(MAX_LOCATIONS - 2).map((row) => row.from));
    added.push(movedRow(account, from, now, id, movedAt));
    changed.push(...rows.map((row) => movedRow(account, row.from, now, id, row.movedAt)));
  }
  yield* query((db) => db.insertInto("moved_message").values(added).onConflict(leaveAsIs).execute());
  for (const some of Array.chunksOf(changed, AT_ONCE)) {
    yield* query((db) => db.insertInto("moved_message").values(some).onConflict(replaceNow).execute());
  }
  const erased = [["moved_message", placesOf(gone)] as const, ["begun_move", places] as const];
  for (const [table, left] of erased) {
    if (left.length === 0) continue;
    yield* query((db) => sql`delete from ${sql.table(table)} where ${isAt(account, FROM, left)}`.execute(db));
  }
});
