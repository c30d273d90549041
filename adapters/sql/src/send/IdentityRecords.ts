import { addressKey } from "@postern/core/mail";
import { type IdentityRecord, identityRecordJson, IdentityRecords } from "@postern/core/send";
import { Effect, Layer, Option } from "effect";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import { readJson } from "../database/read-json.ts";
import type { IdentityRow } from "../tables/send.ts";

const rowOf = (record: IdentityRecord): IdentityRow => ({
  id: record.id,
  account: record.account,
  address_key: addressKey(record.address),
  created_at: record.createdAt,
  verification_hash: record.verification?.hash ?? null,
  record: identityRecordJson.write(record),
});

const recordOf = ({ id, record }: IdentityRow) => readJson(identityRecordJson, record, { table: "identity", id });

/** Identities in the table `identity` (spec 12.2). */
export const layer: Layer.Layer<IdentityRecords, never, Database> = Layer.effect(
  IdentityRecords,
  Effect.gen(function* () {
    const { query } = yield* Database;

    const selectOf = compiledWith((db, { account }: { readonly account: string }) =>
      db.selectFrom("identity").selectAll().where("account", "=", account).orderBy("created_at").orderBy("id"),
    );

    return IdentityRecords.of({
      list: Effect.fnUntraced(function* (account) {
        const { rows } = yield* query((db) => selectOf(db, { account }));
        return (yield* Effect.forEach(rows, recordOf)).flatMap(Option.toArray);
      }),

      insert: Effect.fn("IdentityRecords.insert")(function* (record) {
        const inserted = yield* query((db) =>
          db
            .insertInto("identity")
            .values(rowOf(record))
            .onConflict((conflict) => conflict.columns(["account", "address_key"]).doNothing())
            .returning("id")
            .executeTakeFirst(),
        );
        return inserted !== undefined;
      }),

      update: Effect.fn("IdentityRecords.update")(function* (updated) {
        const { id, verification_hash, record } = rowOf(updated);
        yield* query((db) =>
          db.updateTable("identity").set({ verification_hash, record }).where("id", "=", id).execute(),
        );
      }),

      remove: Effect.fn("IdentityRecords.remove")(function* (account, id) {
        if (id.includes("\0")) return false;
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("identity").where("account", "=", account).where("id", "=", id).executeTakeFirstOrThrow(),
        );
        return numDeletedRows === 1n;
      }),

      ofVerification: Effect.fn("IdentityRecords.ofVerification")(function* (hash) {
        const row = yield* query((db) =>
          db.selectFrom("identity").selectAll().where("verification_hash", "=", hash).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* recordOf(row);
      }),

      erase: Effect.fn("IdentityRecords.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("identity").where("account", "=", account).execute());
      }),
    });
  }),
);
