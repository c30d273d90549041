import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { endingsSuite } from "./endings.ts";
import { postgresStores } from "./sql-stores.ts";

describeWithPostgres("endings", () => {
  const stores = Layer.unwrap(
    Effect.gen(function* () {
      return postgresStores(yield* (yield* Postgres).newDatabase);
    }),
  ).pipe(Layer.provide(Postgres.layer));
  endingsSuite("PostgreSQL", stores);
});
