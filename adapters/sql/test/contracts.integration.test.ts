import {
  describeWithPostgres,
  nightly,
  Postgres,
  runContracts,
  STORE_DOMAINS,
  watchNodesContract,
} from "@postern/testkit";
import { onNewDatabaseOf, withUploads } from "./databases.ts";

describeWithPostgres("the stores on PostgreSQL", () => {
  const given = process.env["TEST_DATABASE_URL"] !== undefined;
  const servers = given ? [{ name: "PostgreSQL", layer: Postgres.layer }] : Postgres.each();
  const own = servers.slice(0, 1).map((server) => ({ ...server, schema: undefined }));
  const guest = nightly(servers.slice(-1)).map((server) => ({ ...server, schema: "guest" }));
  for (const { name, layer, schema } of [...own, ...guest]) {
    const stores = onNewDatabaseOf(layer, { schema });
    for (const domain of STORE_DOMAINS)
      runContracts(domain, schema === undefined ? `on ${name}` : `on ${name}, in a schema`, withUploads(stores));
    watchNodesContract(`nodes on ${name}`, stores);
  }
});
