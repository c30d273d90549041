import { UpgradeTasks } from "@postern/core/accounts";
import { Effect, Layer } from "effect";
import { Database } from "../database/Database.ts";

/** The tasks that were done, in `upgrade_task`. */
export const layer: Layer.Layer<UpgradeTasks, never, Database> = Layer.effect(
  UpgradeTasks,
  Effect.map(Database, ({ query }) =>
    UpgradeTasks.of({
      isDone: Effect.fn("UpgradeTasks.isDone")(function* (name) {
        const row = yield* query((db) =>
          db.selectFrom("upgrade_task").select("name").where("name", "=", name).executeTakeFirst(),
        );
        return row !== undefined;
      }),

      finish: Effect.fn("UpgradeTasks.finish")(function* (name) {
        const inserted = yield* query((db) =>
          db
            .insertInto("upgrade_task")
            .values({ name })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst(),
        );
        return Number(inserted.numInsertedOrUpdatedRows ?? 0) > 0;
      }),
    }),
  ),
);
