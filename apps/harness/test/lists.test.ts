import { harness, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { lists } from "./lists.ts";
import { sqliteStores } from "./sql-stores.ts";

lists("in memory", harness);
lists(
  "on SQLite",
  Effect.flatMap(Layer.build(sqliteStores), (stores) => harnessWithStores(Layer.succeedContext(stores))),
);
