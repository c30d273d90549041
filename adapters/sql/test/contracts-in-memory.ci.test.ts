import { runContracts, STORE_DOMAINS } from "@postern/testkit";
import { inMemory, withUploads } from "./databases.ts";

for (const domain of STORE_DOMAINS) runContracts(domain, "on SQLite in memory", withUploads(inMemory));
