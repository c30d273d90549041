import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const uploads: Migration = {
  name: "0005-uploads",
  up: async (db) => {
    await db.schema
      .createTable("upload")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("upload_by_age").on("upload").columns(["state", "created_at"]).execute();
    await db.schema.createIndex("upload_by_account").on("upload").column("account").execute();
    await db.schema
      .createTable("upload_pin")
      .addColumn("outgoing_id", "text", (column) => column.notNull())
      .addColumn("upload_id", "text", (column) => column.notNull().references("upload.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("upload_pin_key", ["outgoing_id", "upload_id"])
      .execute();
    await db.schema.createIndex("upload_pin_by_upload").on("upload_pin").column("upload_id").execute();
    await db.schema
      .createTable("upload_chunk")
      .addColumn("upload_id", "text", (column) => column.notNull())
      .addColumn("n", "integer", (column) => column.notNull())
      // PostgreSQL's type for bytes; SQLite accepts any type name.
      .addColumn("bytes", sql`bytea`, (column) => column.notNull())
      .addPrimaryKeyConstraint("upload_chunk_key", ["upload_id", "n"])
      .execute();
  },
};
