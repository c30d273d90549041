import type { Migration } from "./Migration.ts";

/** Stores the times at which connections to mail hosts are opened. */
export const hostConnections: Migration = {
  name: "0022-host-connections",
  up: async (db) => {
    await db.schema
      .createTable("host_connection")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("host", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("host_connection_by_host").on("host_connection").columns(["host", "at"]).execute();
    await db.schema.createIndex("host_connection_by_at").on("host_connection").columns(["at"]).execute();
  },
};
