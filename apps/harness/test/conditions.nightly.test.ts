import { harnessWithStores } from "@postern/harness";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Context, Effect, Layer } from "effect";
import { repeatedCreations } from "./repeated-creations.ts";
import { postgresStores } from "./sql-stores.ts";
import { versions } from "./versions.ts";

const onPostgres = Effect.gen(function* () {
  const postgres = yield* Layer.build(Postgres.layer);
  const stores = yield* Layer.build(postgresStores(yield* Context.get(postgres, Postgres).newDatabase));
  return yield* harnessWithStores(Layer.succeedContext(stores));
});

describeWithPostgres("idempotency keys and versions", () => {
  repeatedCreations("on PostgreSQL", onPostgres);
  versions("on PostgreSQL", onPostgres);
});
