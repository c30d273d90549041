import { AccountId } from "@postern/core/shared";
import { type Upload, UploadRecords } from "@postern/core/send";
import { Effect, Layer, Option } from "effect";
import { type Kysely, sql } from "kysely";
import { Database } from "../database/Database.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import type { Tables } from "../tables/Tables.ts";
import type { UploadRow } from "../tables/send.ts";

const uploadOf = ({ id, account, name, type, size, created_at }: UploadRow): Upload => ({
  id,
  account: AccountId(account),
  name,
  type,
  size,
  createdAt: created_at,
});

/** Records of uploads in `upload`, and their pins in `upload_pin` (spec 6). */
export const layer: Layer.Layer<UploadRecords, never, Database> = Layer.effect(
  UploadRecords,
  Effect.gen(function* () {
    const { query, transaction, lockRows, skipLocked, tableOf } = yield* Database;

    const whole = (db: Kysely<Tables>) => db.selectFrom("upload").where("state", "=", "complete");

    return UploadRecords.of({
      begin: Effect.fn("UploadRecords.begin")(function* ({ id, account, name, type, createdAt }) {
        yield* query((db) =>
          db
            .insertInto("upload")
            .values({ id, account, name, type, size: 0, created_at: createdAt, state: "incoming" })
            .execute(),
        );
      }),

      complete: Effect.fn("UploadRecords.complete")(function* (id, size) {
        const incoming = (db: Kysely<Tables>) => db.updateTable("upload").where("state", "=", "incoming");
        const { numUpdatedRows } = yield* query((db) =>
          incoming(db).set({ state: "complete", size }).where("id", "=", id).executeTakeFirstOrThrow(),
        );
        return numUpdatedRows === 1n;
      }),

      find: Effect.fn("UploadRecords.find")(function* (account, id) {
        if (id.includes("\0")) return Option.none(); // PostgreSQL refuses NUL in text, also in comparisons.
        const row = yield* query((db) =>
          whole(db)
            .selectAll()
            .select((select) =>
              select
                .selectFrom("upload_pin")
                .whereRef("upload_id", "=", "upload.id")
                .select((pins) => pins.fn.countAll().as("pins"))
                .as("pins"),
            )
            .where("id", "=", id)
            .where("account", "=", account)
            .executeTakeFirst(),
        );
        const found = Option.fromUndefinedOr(row);
        return Option.map(found, (one) => ({ ...uploadOf(one), isPinned: Number(one.pins) > 0 }));
      }),

      pin: Effect.fn("UploadRecords.pin")(function* (account, ids, holder) {
        const wanted = [...new Set(ids)];
        const theirs = (db: Kysely<Tables>) =>
          whole(db).select("id").where("account", "=", account).where("id", "in", wanted).orderBy("id");
        const rows = yield* query((db) => lockRows(theirs(db)).execute());
        if (rows.length < wanted.length) return false;
        const pins = wanted.map((id) => ({ outgoing_id: holder, upload_id: id }));
        yield* query((db) =>
          db
            .insertInto("upload_pin")
            .values(pins)
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        );
        return true;
      }, transaction),

      unpin: Effect.fn("UploadRecords.unpin")(function* (holders) {
        const holding = idsParameter(tableOf, holders);
        yield* query((db) => db.deleteFrom("upload_pin").where("outgoing_id", "in", holding).execute());
      }),

      retire: Effect.fn("UploadRecords.retire")(function* (expired, abandoned, limit) {
        const unheld = sql<boolean>`not exists (select 1 from ${sql.table("upload_pin")} where upload_id = upload.id)`;
        // The uploads are locked before the pins are checked, because a message may be pinning an upload at this
        // moment.
        const found = yield* query((db) =>
          db
            .selectFrom("upload")
            .select("id")
            .where((where) =>
              where.or([
                where.and([where("state", "=", "complete"), where("created_at", "<", expired), unheld]),
                where.and([where("state", "=", "incoming"), where("created_at", "<", abandoned)]),
              ]),
            )
            .limit(limit)
            .modifyEnd(skipLocked)
            .execute(),
        );
        const ids = found.map(({ id }) => id);
        if (ids.length > 0) {
          yield* query((db) =>
            db.updateTable("upload").set({ state: "retired" }).where("id", "in", ids).where(unheld).execute(),
          );
        }
        const retired = yield* query((db) =>
          db.selectFrom("upload").select("id").where("state", "=", "retired").limit(limit).execute(),
        );
        return retired.map(({ id }) => id);
      }, transaction),

      erase: Effect.fn("UploadRecords.erase")(function* (account) {
        yield* query((db) =>
          db.updateTable("upload").set({ state: "retired" }).where("account", "=", account).execute(),
        );
      }),

      remove: Effect.fn("UploadRecords.remove")(function* (ids) {
        yield* query((db) => db.deleteFrom("upload").where("id", "in", ids).execute());
      }),
    });
  }),
);
