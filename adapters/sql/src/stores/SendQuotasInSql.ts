import { SendQuotas, UNUSED } from "@postern/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "../Database.ts";
import { modifyLocked } from "../modify-locked.ts";
import type { SendQuotaRow } from "../Tables.ts";

/** Quotas in the table `send_quota` (decisions 6); the row is there before it is locked. */
export const SendQuotasInSql: Layer.Layer<SendQuotas, never, Database> = Layer.effect(
  SendQuotas,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, transaction } = database;

    return SendQuotas.of({
      modify: Effect.fn("SendQuotas.modify")((account, change) => {
        const unused: SendQuotaRow = {
          account,
          minute_started_at: UNUSED.minute.startedAt,
          minute_used: UNUSED.minute.used,
          day_started_at: UNUSED.day.startedAt,
          day_used: UNUSED.day.used,
        };
        const present = query((db) =>
          db
            .insertInto("send_quota")
            .values(unused)
            .onConflict((conflict) => conflict.column("account").doNothing())
            .execute(),
        );
        const modified = modifyLocked(
          database,
          (db) => db.selectFrom("send_quota").selectAll().where("account", "=", account),
          Effect.fnUntraced(function* (found) {
            const row = Option.getOrElse(found, () => unused) as SendQuotaRow;
            const after = yield* Effect.fromResult(
              change({
                minute: { startedAt: row.minute_started_at, used: row.minute_used },
                day: { startedAt: row.day_started_at, used: row.day_used },
              }),
            );
            yield* query((db) =>
              db
                .updateTable("send_quota")
                .set({
                  minute_started_at: after.minute.startedAt,
                  minute_used: after.minute.used,
                  day_started_at: after.day.startedAt,
                  day_used: after.day.used,
                })
                .where("account", "=", account)
                .execute(),
            );
            return after;
          }),
        );
        return transaction(Effect.andThen(present, modified));
      }),

      erase: Effect.fn("SendQuotas.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("send_quota").where("account", "=", account).execute());
      }),
    });
  }),
);
