import { inMemory } from "./databases.ts";
import { serviceSecretsSuite } from "./service-secrets-suite.ts";
import { databaseSuite } from "./database-suite.ts";
import { unreadableRowsSuite } from "./unreadable-rows-suite.ts";

databaseSuite("Database on SQLite", inMemory);
serviceSecretsSuite("SQLite", () => inMemory);
unreadableRowsSuite("SQLite", inMemory);
