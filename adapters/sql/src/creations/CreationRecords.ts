import { type CreationRecord, CreationRecords } from "@postern/core/creations";
import { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import type { CreationRow } from "../tables/creations.ts";

const recordOf = (row: CreationRow): CreationRecord => ({
  caller: row.caller,
  key: row.key,
  requestHash: row.request_hash,
  account: row.account === null ? null : AccountId(row.account),
  resource: row.resource,
  createdAt: row.created_at,
  lease:
    row.lease_token === null || row.lease_until === null ? null : { token: row.lease_token, until: row.lease_until },
});

const rowOf = (record: CreationRecord): CreationRow => ({
  caller: record.caller,
  key: record.key,
  request_hash: record.requestHash,
  account: record.account,
  resource: record.resource,
  created_at: record.createdAt,
  lease_token: record.lease?.token ?? null,
  lease_until: record.lease?.until ?? null,
});

/** Keys of creations in the table `creation` (spec 2.6). */
export const layer: Layer.Layer<CreationRecords, never, Database> = Layer.effect(
  CreationRecords,
  Effect.gen(function* () {
    const { query } = yield* Database;

    return CreationRecords.of({
      find: Effect.fnUntraced(function* (caller, key) {
        const row = yield* query((db) =>
          db.selectFrom("creation").selectAll().where("caller", "=", caller).where("key", "=", key).executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), recordOf);
      }),

      take: Effect.fnUntraced(function* (record, expired) {
        const row = rowOf(record);
        const taken = yield* query((db) =>
          db
            .insertInto("creation")
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(["caller", "key"]).doUpdateSet(row).where("creation.created_at", "<=", expired),
            )
            .returning("key")
            .execute(),
        );
        return taken.length === 1;
      }),

      replace: Effect.fnUntraced(function* (record, token) {
        const { numUpdatedRows } = yield* query((db) =>
          db
            .updateTable("creation")
            .set(rowOf(record))
            .where("caller", "=", record.caller)
            .where("key", "=", record.key)
            .where("lease_token", "=", token)
            .executeTakeFirstOrThrow(),
        );
        return Number(numUpdatedRows) === 1;
      }),

      forget: Effect.fn("CreationRecords.forget")(function* (before, limit) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("creation")
            .where((row) =>
              row(
                row.refTuple("caller", "key"),
                "in",
                row
                  .selectFrom("creation")
                  .select(["caller", "key"])
                  .where("created_at", "<=", before)
                  .limit(limit)
                  .$asTuple("caller", "key"),
              ),
            )
            // A key that was reused in the meantime belongs to another creation.
            .where("created_at", "<=", before)
            .executeTakeFirstOrThrow(),
        );
        return Number(numDeletedRows);
      }),

      erase: Effect.fn("CreationRecords.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("creation").where("account", "=", account).execute());
      }),
    });
  }),
);
