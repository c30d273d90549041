import { describeWithPostgres, runContracts, STORE_DOMAINS, watchNodesContract } from "@postern/testkit";
import { onNewPostgres, withUploads } from "./databases.ts";

describeWithPostgres("the stores on PostgreSQL", () => {
  for (const domain of STORE_DOMAINS) runContracts(domain, "on PostgreSQL", withUploads(onNewPostgres));
  watchNodesContract("nodes on PostgreSQL", onNewPostgres);
});
