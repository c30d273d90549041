import { inMemory } from "./databases.ts";
import { databaseSuite } from "./database-suite.ts";

databaseSuite("Database on SQLite", inMemory);
