import { type FolderRemoval, FolderRemovals } from "@postern/core/folders";
import { Effect, Layer, Option } from "effect";
import { sql } from "kysely";
import { Database } from "../database/Database.ts";
import { FOLDER_REMOVAL, type FolderRemovalRow } from "../tables/folders.ts";

type Row = Omit<FolderRemovalRow, "lease_owner" | "lease_until">;

const rowOf = (removal: FolderRemoval): Row => ({
  ...FOLDER_REMOVAL.rowOf(removal),
  folders: JSON.stringify(removal.folders),
  destination_id: removal.destination?.id ?? null,
  destination_path: removal.destination?.path ?? null,
  batch_mailbox: removal.batch?.mailbox ?? null,
  batch_last_uid: removal.batch?.lastUid ?? null,
  batch_count: removal.batch?.count ?? null,
  batch_copied_from: removal.batch?.copiedFrom ?? null,
});

const removalOf = (row: Row): FolderRemoval => ({
  ...FOLDER_REMOVAL.recordOf(row),
  folders: row.folders === null ? [] : (JSON.parse(row.folders) as FolderRemoval["folders"]),
  destination:
    row.destination_id === null || row.destination_path === null
      ? null
      : { id: row.destination_id, path: row.destination_path },
  batch:
    row.batch_mailbox === null
      ? null
      : {
          mailbox: row.batch_mailbox,
          lastUid: row.batch_last_uid ?? 0,
          count: row.batch_count ?? 0,
          copiedFrom: row.batch_copied_from ?? 0,
        },
});

/** The time when an unfinished removal may be claimed. */
const CLAIMABLE_AT = sql<number>`case when lease_until > due_at then lease_until else due_at end`;

/**
 * The journal of folder removals in the table `folder_removal`. The row contains the lease, whose token is
 * `lease_owner` (spec 4). Unlike in the tables of `leasedQueue`, `due_at` does not change while a removal is leased,
 * because it is part of the removal.
 */
export const layer: Layer.Layer<FolderRemovals, never, Database> = Layer.effect(
  FolderRemovals,
  Effect.gen(function* () {
    const { query, skipLocked, wakeUp, isOursAlone } = yield* Database;
    const { wake, changed } = wakeUp("folder_removal");

    // Leases that remain are from this process before its restart.
    if (isOursAlone) {
      yield* Effect.orDie(
        query((db) => db.updateTable("folder_removal").set({ lease_owner: null, lease_until: null }).execute()),
      );
    }

    const find: FolderRemovals["Service"]["find"] = Effect.fnUntraced(function* (account, folderId) {
      // PostgreSQL refuses NUL in text, also in comparisons.
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
        yield* wake(removal.dueAt);
        return Option.getOrElse(yield* find(removal.account, removal.folderId), () => removal);
      }, Effect.uninterruptible),

      unfinished: Effect.fn("FolderRemovals.unfinished")(function* (account) {
        const rows = yield* query((db) =>
          db
            .selectFrom("folder_removal")
            .selectAll()
            .where("account", "=", account)
            .where("phase", "!=", "finished")
            .orderBy("begun_at")
            .orderBy("id")
            .execute(),
        );
        return rows.map(removalOf);
      }),

      claim: Effect.fn("FolderRemovals.claim")(function* (now, { token, until }, limit) {
        const { rows } = yield* query((db) =>
          sql<FolderRemovalRow>`
            with picked as (
              select id from ${sql.table("folder_removal")} where phase <> 'finished' and ${CLAIMABLE_AT} <= ${now}
              order by due_at, id limit ${limit} ${skipLocked}
            )
            update ${sql.table("folder_removal")} set lease_owner = ${token}, lease_until = ${until}
            where id in (select id from picked) returning *`.execute(db),
        );
        return rows.map(removalOf);
      }),

      claimOne: Effect.fn("FolderRemovals.claimOne")(function* (id, now, { token, until }) {
        const row = yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set({ lease_owner: token, lease_until: until })
            .where("id", "=", id)
            .where((where) => where.or([where("lease_owner", "is", null), where("lease_until", "<=", now)]))
            .returningAll()
            .executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), removalOf);
      }),

      renew: Effect.fn("FolderRemovals.renew")(function* (ids, { token, until }) {
        const rows = yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set({ lease_until: until })
            .where("id", "in", ids)
            .where("lease_owner", "=", token)
            .returning("id")
            .execute(),
        );
        return new Set(rows.map(({ id }) => id));
      }),

      release: Effect.fn("FolderRemovals.release")(function* (ids, token) {
        const rows = yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set({ lease_owner: null, lease_until: null })
            .where("id", "in", ids)
            .where("lease_owner", "=", token)
            .returning("due_at")
            .execute(),
        );
        if (rows.length > 0) yield* wake(Math.min(...rows.map(({ due_at }) => due_at)));
      }, Effect.uninterruptible),

      save: Effect.fn("FolderRemovals.save")(function* (removal, token) {
        const row = yield* query((db) =>
          db
            .updateTable("folder_removal")
            .set(rowOf(removal))
            .where("id", "=", removal.id)
            .where("lease_owner", "=", token)
            .returning("id")
            .executeTakeFirst(),
        );
        return row !== undefined;
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

      nextDue: Effect.suspend(() =>
        query((db) =>
          db
            .selectFrom("folder_removal")
            .select((row) => row.fn.min<number | null>(CLAIMABLE_AT).as("at"))
            .where("phase", "!=", "finished")
            .executeTakeFirst(),
        ),
      ).pipe(Effect.map((row) => Option.fromNullishOr(row?.at))),

      changed,
    });
  }),
);
