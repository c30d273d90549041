import { runContracts, STORE_DOMAINS } from "@postern/testkit";
import { inTemporaryFolder, withUploads } from "./databases.ts";

for (const domain of STORE_DOMAINS) runContracts(domain, "on SQLite in a folder", withUploads(inTemporaryFolder));
