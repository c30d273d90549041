import { SendQuotas, UNUSED_QUOTA } from "@postern/core/send";
import { Effect, Layer, Result } from "effect";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import type { SendQuotaRow } from "../tables/send.ts";

const unusedQuota = (account: string): SendQuotaRow => ({
  account,
  minute_started_at: UNUSED_QUOTA.minute.startedAt,
  minute_used: UNUSED_QUOTA.minute.used,
  day_started_at: UNUSED_QUOTA.day.startedAt,
  day_used: UNUSED_QUOTA.day.used,
});

/** Quotas in the table `send_quota` (spec 6); the row is inserted before it is locked. */
export const layer: Layer.Layer<SendQuotas, never, Database> = Layer.effect(
  SendQuotas,
  Effect.gen(function* () {
    const { query, together, lockRows } = yield* Database;

    const select = compiledWith((db, { account }: { readonly account: string }) =>
      lockRows(db.selectFrom("send_quota").selectAll().where("account", "=", account)),
    );
    const update = compiledWith((db, { account, ...spent }: SendQuotaRow) =>
      db.updateTable("send_quota").set(spent).where("account", "=", account),
    );

    const locked = (account: string) =>
      Effect.map(
        query((db) => select(db, { account })),
        ({ rows }) => rows[0],
      );

    const made = Effect.fnUntraced(function* (account: string) {
      yield* query((db) =>
        db
          .insertInto("send_quota")
          .values(unusedQuota(account))
          .onConflict((conflict) => conflict.column("account").doNothing())
          .execute(),
      );
      return (yield* locked(account)) ?? unusedQuota(account);
    });

    return SendQuotas.of({
      modify: Effect.fnUntraced(
        function* (account, change) {
          const row = (yield* locked(account)) ?? (yield* made(account));
          const after = change({
            minute: { startedAt: row.minute_started_at, used: row.minute_used },
            day: { startedAt: row.day_started_at, used: row.day_used },
          });
          if (Result.isFailure(after)) return after;
          const { minute, day } = after.success;
          const spent = {
            account,
            minute_started_at: minute.startedAt,
            minute_used: minute.used,
            day_started_at: day.startedAt,
            day_used: day.used,
          };
          yield* query((db) => update(db, spent));
          return after;
        },
        together,
        Effect.flatMap(Effect.fromResult),
      ),

      erase: Effect.fn("SendQuotas.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("send_quota").where("account", "=", account).execute());
      }),
    });
  }),
);
