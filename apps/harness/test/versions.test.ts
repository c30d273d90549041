import { harness, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { sqliteStores } from "./sql-stores.ts";
import { versions } from "./versions.ts";

versions("in memory", harness);
versions(
  "on SQLite",
  Effect.flatMap(Layer.build(sqliteStores), (stores) => harnessWithStores(Layer.succeedContext(stores))),
);
