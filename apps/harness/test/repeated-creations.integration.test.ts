import { harnessOver } from "@postern/harness";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Context, Effect, Layer } from "effect";
import { repeatedCreations } from "./repeated-creations.ts";
import { postgresStores } from "./sql-stores.ts";

describeWithPostgres("creations", () => {
  repeatedCreations(
    "on PostgreSQL",
    Effect.gen(function* () {
      const postgres = yield* Layer.build(Postgres.layer);
      const stores = yield* Layer.build(postgresStores(yield* Context.get(postgres, Postgres).newDatabase));
      return yield* harnessOver(Layer.succeedContext(stores));
    }),
  );
});
