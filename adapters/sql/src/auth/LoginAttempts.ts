import { AccountId } from "@postern/core/shared";
import { LoginAttempts, MAX_FAILURE_WINDOW } from "@postern/core/auth";
import { Duration, Effect, Layer } from "effect";
import { Database } from "../database/Database.ts";

/** Failed and successful sign-ins in `login_attempt` and `login_success` (spec 3). */
export const layer: Layer.Layer<LoginAttempts, never, Database> = Layer.effect(
  LoginAttempts,
  Effect.gen(function* () {
    const { query, transaction, lockNames } = yield* Database;

    const remove = (id: string) => query((db) => db.deleteFrom("login_attempt").where("id", "=", id).execute());

    const history = Effect.fnUntraced(function* (account: string, network: string, since: number) {
      const rows = yield* query((db) =>
        db
          .selectFrom("login_attempt")
          .selectAll()
          .where((either) => either.or([either("account", "=", account), either("network", "=", network)]))
          .where("at", ">", since)
          .execute(),
      );
      const success = yield* query((db) =>
        db
          .selectFrom("login_success")
          .select("at")
          .where("account", "=", account)
          .where("network", "=", network)
          .executeTakeFirst(),
      );
      const attempts = rows.map(({ password_mark, ...row }) => ({
        ...row,
        account: AccountId(row.account),
        passwordMark: password_mark,
      }));
      return { attempts, lastSuccessAt: success?.at ?? null };
    });

    return LoginAttempts.of({
      judge: Effect.fn("LoginAttempts.judge")(function* ({ id, account, network, passwordMark, at }, verdictOf) {
        yield* lockNames([`login of ${account}`, `login from ${network}`]);
        const verdict = verdictOf(yield* history(account, network, at - Duration.toMillis(MAX_FAILURE_WINDOW)));
        if (verdict._tag === "Ask" || verdict._tag === "Refuse") {
          const outcome = verdict._tag === "Ask" ? "pending" : "refused";
          yield* query((db) =>
            db
              .insertInto("login_attempt")
              .values({ id, account, network, password_mark: passwordMark, at, outcome })
              .execute(),
          );
        }
        return verdict;
      }, transaction),

      recordRefusal: Effect.fn("LoginAttempts.recordRefusal")(function* (id, why) {
        const refusal = { outcome: "refused" as const, ...(why === "unclear" && { password_mark: "" }) };
        yield* query((db) => db.updateTable("login_attempt").set(refusal).where("id", "=", id).execute());
      }),

      withdraw: Effect.fn("LoginAttempts.withdraw")(function* (id) {
        yield* remove(id);
      }),

      recordAcceptance: Effect.fn("LoginAttempts.recordAcceptance")(function* ({ id, account, network }, at) {
        yield* remove(id);
        yield* query((db) =>
          db
            .insertInto("login_success")
            .values({ account, network, at })
            .onConflict((conflict) => conflict.columns(["account", "network"]).doUpdateSet({ at }))
            .execute(),
        );
      }, transaction),

      erase: Effect.fn("LoginAttempts.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("login_attempt").where("account", "=", account).execute());
        yield* query((db) => db.deleteFrom("login_success").where("account", "=", account).execute());
      }, transaction),

      removeOld: Effect.fn("LoginAttempts.removeOld")(function* (attemptsBefore, successesBefore) {
        yield* query((db) => db.deleteFrom("login_attempt").where("at", "<", attemptsBefore).execute());
        yield* query((db) => db.deleteFrom("login_success").where("at", "<", successesBefore).execute());
      }),
    });
  }),
);
