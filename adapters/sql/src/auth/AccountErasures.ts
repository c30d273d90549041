import { AccountId } from "@postern/core/shared";
import { AccountErasures } from "@postern/core/auth";
import { Effect, Layer } from "effect";
import { Database } from "../database/Database.ts";

/** Erasures in the table `account_erasure`. */
export const layer: Layer.Layer<AccountErasures, never, Database> = Layer.effect(
  AccountErasures,
  Effect.gen(function* () {
    const { query, keepRows } = yield* Database;
    return AccountErasures.of({
      begin: Effect.fn("AccountErasures.begin")(function* (account) {
        yield* query((db) =>
          db
            .insertInto("account_erasure")
            .values({ account })
            .onConflict((conflict) => conflict.column("account").doNothing())
            .execute(),
        );
      }),

      isUnderWay: Effect.fn("AccountErasures.isUnderWay")(function* (account) {
        const row = yield* query((db) =>
          keepRows(db.selectFrom("account_erasure").selectAll().where("account", "=", account)).executeTakeFirst(),
        );
        return row !== undefined;
      }),

      list: Effect.map(
        query((db) => db.selectFrom("account_erasure").selectAll().orderBy("account").execute()),
        (rows) => rows.map(({ account }) => AccountId(account)),
      ),

      end: Effect.fn("AccountErasures.end")(function* (account) {
        yield* query((db) => db.deleteFrom("account_erasure").where("account", "=", account).execute());
      }),
    });
  }),
);
