import type { Migration } from "./Migration.ts";

/** Stores drafts, whose copies are in the Drafts folder. */
export const drafts: Migration = {
  name: "0027-drafts",
  up: async (db) => {
    await db.schema
      .createTable("draft")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("saved_at", "bigint", (column) => column.notNull())
      .addColumn("has_copy", "integer", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("draft_by_account").on("draft").columns(["account", "state"]).execute();
    await db.schema.createIndex("draft_by_due").on("draft").columns(["due_at", "id"]).execute();
    await db.schema.createIndex("draft_by_copy").on("draft").columns(["has_copy", "saved_at"]).execute();
  },
};
