import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { postgresStores, sqliteStores } from "./sql-stores.ts";
import { neighboursSuite } from "./webhook-neighbours.ts";

neighboursSuite("SQLite", sqliteStores);

describeWithPostgres("neighbours", () => {
  const stores = Layer.unwrap(
    Effect.gen(function* () {
      return postgresStores(yield* (yield* Postgres).newDatabase);
    }),
  ).pipe(Layer.provide(Postgres.layer));
  neighboursSuite("PostgreSQL", stores);
});
