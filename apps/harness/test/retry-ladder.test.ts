import { harness, harnessWithStores } from "@postern/harness";
import { Layer } from "effect";
import { sqliteStores } from "./sql-stores.ts";
import { ladderScenario } from "./scenarios.ts";

ladderScenario("memory", harness);
ladderScenario("SQLite", harnessWithStores(Layer.orDie(sqliteStores)));
