import { endingsSuite } from "./endings.ts";
import { sqliteStores } from "./sql-stores.ts";

endingsSuite("SQLite", sqliteStores);
