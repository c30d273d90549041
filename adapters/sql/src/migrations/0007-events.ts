import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const events: Migration = {
  name: "0007-events",
  up: async (db) => {
    await db.schema
      .createTable("event")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("occurred_at", "bigint", (column) => column.notNull())
      // PostgreSQL's type for bytes; SQLite accepts any type name.
      .addColumn("body", sql`bytea`, (column) => column.notNull())
      .execute();
    await db.schema.createIndex("event_by_account").on("event").columns(["account", "occurred_at", "id"]).execute();
  },
};
