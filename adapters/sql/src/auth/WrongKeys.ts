import { WrongKeys } from "@postern/core/auth";
import { Effect, Layer } from "effect";
import { Database } from "../database/Database.ts";

/** Wrong keys in the table `wrong_key`. */
export const layer: Layer.Layer<WrongKeys, never, Database> = Layer.effect(
  WrongKeys,
  Effect.gen(function* () {
    const { query, transaction, lockNames } = yield* Database;

    return WrongKeys.of({
      judge: Effect.fn("WrongKeys.judge")(function* (wrong, since, verdictOf) {
        yield* lockNames([`keys from ${wrong.network}`]);
        const earlier = yield* query((db) =>
          db
            .selectFrom("wrong_key")
            .select("at")
            .where("network", "=", wrong.network)
            .where("at", ">", since)
            .execute(),
        );
        const verdict = verdictOf(earlier.map(({ at }) => at));
        if (verdict._tag === "Count") yield* query((db) => db.insertInto("wrong_key").values(wrong).execute());
        return verdict;
      }, transaction),

      removeOld: Effect.fn("WrongKeys.removeOld")(function* (before) {
        yield* query((db) => db.deleteFrom("wrong_key").where("at", "<", before).execute());
      }),
    });
  }),
);
