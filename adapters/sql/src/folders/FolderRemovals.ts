import { AccountId } from "@postern/core/shared";
import { type FolderRemoval, FolderRemovals } from "@postern/core/folders";
import { Effect, Layer, Option } from "effect";
import { Database } from "../Database.ts";
import type { FolderRemovalRow } from "./tables.ts";

type Row = Omit<FolderRemovalRow, "lease_owner" | "lease_until">;

const rowOf = (removal: FolderRemoval): Row => ({
  id: removal.id,
  account: removal.account,
  folder_id: removal.folderId,
  path: removal.path,
  uid_validity: removal.uidValidity,
  hidden_path: removal.hiddenPath,
  delimiter: removal.delimiter,
  destination_id: removal.destination?.id ?? null,
  destination_path: removal.destination?.path ?? null,
  phase: removal.phase,
  moved: removal.moved,
  remaining: removal.remaining,
  batch_mailbox: removal.batch?.mailbox ?? null,
  batch_last_uid: removal.batch?.lastUid ?? null,
  batch_count: removal.batch?.count ?? null,
  batch_copied_from: removal.batch?.copiedFrom ?? null,
  begun_at: removal.begunAt,
  failures: removal.failures,
  due_at: removal.dueAt,
  reason: removal.reason,
});

const removalOf = (row: Row): FolderRemoval => ({
  id: row.id,
  account: AccountId(row.account),
  folderId: row.folder_id,
  path: row.path,
  uidValidity: row.uid_validity,
  hiddenPath: row.hidden_path,
  delimiter: row.delimiter,
  destination:
    row.destination_id === null || row.destination_path === null
      ? null
      : { id: row.destination_id, path: row.destination_path },
  phase: row.phase,
  moved: row.moved,
  remaining: row.remaining,
  batch:
    row.batch_mailbox === null
      ? null
      : {
          mailbox: row.batch_mailbox,
          lastUid: row.batch_last_uid ?? 0,
          count: row.batch_count ?? 0,
          copiedFrom: row.batch_copied_from ?? 0,
        },
  begunAt: row.begun_at,
  failures: row.failures,
  dueAt: row.due_at,
  reason: row.reason,
});

/** The journal of folder removals in the table `folder_removal`; the row holds its lease (spec 4). */
export const layer: Layer.Layer<FolderRemovals, never, Database> = Layer.effect(
  FolderRemovals,
  Effect.gen(function* () {
    const { query } = yield* Database;

    const find: FolderRemovals["Service"]["find"] = Effect.fnUntraced(function* (account, folderId) {
      // PostgreSQL refuses NUL in text, even to compare with.
      if (folderId.includes("\0")) return Option.none();
      const row = yield* query((db) =>
        db
          .selectFrom("folder_removal")
          .selectAll()
          .where("account", "=", account)
          .where("folder_id", "=", folderId)
          .executeTakeFirst(),
      );
      return Option.map(Option.fromUndefinedOr(row), removalOf);
    });

    return FolderRemovals.of({
      find,

      begin: Effect.fn("FolderRemovals.begin")(function* (removal) {
        yield* query((db) =>
          db
            .insertInto("folder_removal")
            .values({ ...rowOf(removal), lease_owner: null, lease_until: null })
            .onConflict((conflict) => conflict.columns(["account", "folder_id"]).doNothing())
            .execute(),
        );
        return Option.getOrElse(yield* find(removal.account, removal.folderId), () => removal);
      }),

      unfinished: Effect.suspend(() =>
        query((db) =>
          db
            .selectFrom("folder_removal")
            .selectAll()
            .where("phase", "!=", "finished")
            .orderBy("begun_at")
            .orderBy("id")
            .execute(),
        ),
      ).pipe(
        Effect.map((rows) => rows.map(removalOf)),
        Effect.withSpan("FolderRemovals.unfinished"),
      ),

      claim: Effect.fn("FolderRemovals.claim")(function* (id, { owner, until }, now) {
        const row = yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set({ lease_owner: owner, lease_until: until })
            .where("id", "=", id)
            .where((where) =>
              where.or([
                where("lease_owner", "is", null),
                where("lease_owner", "=", owner),
                where("lease_until", "<=", now),
              ]),
            )
            .returningAll()
            .executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), removalOf);
      }),

      save: Effect.fn("FolderRemovals.save")(function* (removal, { owner, until }) {
        const row = yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set({ ...rowOf(removal), lease_until: until })
            .where("id", "=", removal.id)
            .where("lease_owner", "=", owner)
            .returning("id")
            .executeTakeFirst(),
        );
        return row !== undefined;
      }),

      release: Effect.fn("FolderRemovals.release")(function* (id, owner) {
        yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set({ lease_owner: null, lease_until: null })
            .where("id", "=", id)
            .where("lease_owner", "=", owner)
            .execute(),
        );
      }),

      forget: Effect.fn("FolderRemovals.forget")(function* (id) {
        yield* query((db) => db.deleteFrom("folder_removal").where("id", "=", id).execute());
      }),

      erase: Effect.fn("FolderRemovals.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("folder_removal").where("account", "=", account).execute());
      }),

      forgetFinished: Effect.fn("FolderRemovals.forgetFinished")(function* (before) {
        yield* query((db) =>
          db.deleteFrom("folder_removal").where("phase", "=", "finished").where("begun_at", "<", before).execute(),
        );
      }),
    });
  }),
);
