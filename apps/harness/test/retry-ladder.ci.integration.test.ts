import { harnessWithStores } from "@postern/harness";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { ladderScenario } from "./scenarios.ts";
import { postgresStores } from "./sql-stores.ts";

describeWithPostgres("the ladder", () => {
  const stores = Layer.unwrap(
    Effect.gen(function* () {
      return postgresStores(yield* (yield* Postgres).newDatabase);
    }),
  ).pipe(Layer.provide(Postgres.layer));
  ladderScenario("PostgreSQL", harnessWithStores(Layer.orDie(stores)));
});
