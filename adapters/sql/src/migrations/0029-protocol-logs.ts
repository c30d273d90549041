import type { Migration } from "./Migration.ts";

/** Stores the protocol logs of accounts. */
export const protocolLogs: Migration = {
  name: "0029-protocol-logs",
  up: async (db) => {
    await db.schema
      .createTable("protocol_log")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("ends_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("protocol_log_by_end").on("protocol_log").columns(["ends_at"]).execute();
    await db.schema
      .createTable("protocol_log_batch")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("appended_at", "bigint", (column) => column.notNull())
      .addColumn("bytes", "integer", (column) => column.notNull())
      .addColumn("line_count", "integer", (column) => column.notNull())
      .addColumn("lines", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("protocol_log_batch_by_account")
      .on("protocol_log_batch")
      .columns(["account", "appended_at", "id"])
      .execute();
  },
};
