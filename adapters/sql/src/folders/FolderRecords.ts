import type { AccountId } from "@postern/core/shared";
import { type FolderRecord, FolderRecords, sameFolders } from "@postern/core/folders";
import { Array, Clock, Effect, Layer } from "effect";
import { Database } from "../database/Database.ts";
import type { FolderRow } from "../tables/folders.ts";

/**
 * Maximum number of rows in one INSERT, because a statement has a limited number of parameters (SQLite: 32,766,
 * PostgreSQL: 65,535).
 */
const ROWS_AT_ONCE = 1_000;

const rowOf = (account: AccountId, record: FolderRecord): FolderRow => ({
  account,
  id: record.id,
  path: record.path,
  mailbox_id: record.mailboxId,
  uid_validity: record.uidValidity,
  uid_next: record.uidNext,
  mailbox_key: record.key === `${record.id}` ? null : record.key,
  created_at: record.createdAt,
});

const recordOf = (row: Omit<FolderRow, "account">): FolderRecord => ({
  id: row.id,
  key: row.mailbox_key ?? row.id,
  path: row.path,
  mailboxId: row.mailbox_id,
  uidValidity: row.uid_validity,
  uidNext: row.uid_next,
  createdAt: row.created_at,
});

/** Folder records in the table `folder`. Replacing records locks the account's row in `folder_list` (spec 4). */
export const layer: Layer.Layer<FolderRecords, never, Database> = Layer.effect(
  FolderRecords,
  Effect.gen(function* () {
    const { query, transaction } = yield* Database;

    const load = Effect.fn("FolderRecords.load")(function* (account: AccountId) {
      const rows = yield* query((db) =>
        db
          .selectFrom("folder")
          .select(["id", "path", "mailbox_id", "uid_validity", "uid_next", "mailbox_key", "created_at"])
          .where("account", "=", account)
          .execute(),
      );
      return rows.map(recordOf);
    });

    const replace = Effect.fn("FolderRecords.replace")(function* (
      account: AccountId,
      records: ReadonlyArray<FolderRecord>,
      known?: ReadonlyArray<FolderRecord>,
    ) {
      const listed_at = yield* Clock.currentTimeMillis;
      yield* query((db) =>
        db
          .insertInto("folder_list")
          .values({ account, listed_at })
          .onConflict((conflict) => conflict.column("account").doUpdateSet({ listed_at }))
          .execute(),
      );
      if (known !== undefined && !sameFolders(known, yield* load(account))) return false;
      yield* query((db) => db.deleteFrom("folder").where("account", "=", account).execute());
      const rows = records.map((record) => rowOf(account, record));
      for (const some of Array.chunksOf(rows, ROWS_AT_ONCE)) {
        yield* query((db) => db.insertInto("folder").values(some).execute());
      }
      return true;
    }, transaction);

    const erase = Effect.fn("FolderRecords.erase")(function* (account: AccountId) {
      yield* query((db) => db.deleteFrom("folder_list").where("account", "=", account).execute());
    });

    return FolderRecords.of({ load, replace, erase });
  }),
);
