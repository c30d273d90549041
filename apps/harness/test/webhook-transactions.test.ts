import { Effect } from "effect";
import { sqliteStores } from "./sql-stores.ts";
import { transactionScenario } from "./webhook-transactions.ts";

transactionScenario("SQLite", Effect.succeed(sqliteStores));
