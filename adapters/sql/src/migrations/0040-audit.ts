import type { Migration } from "./Migration.ts";

/**
 * Stores the log of changes and sent messages. The primary key is the order of the list, so that new rows are appended;
 * each filter has an index in the same order.
 */
export const audit: Migration = {
  name: "0040-audit",
  up: async (db) => {
    await db.schema
      .createTable("audit_entry")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("operation", "text", (column) => column.notNull())
      .addColumn("key", "text")
      .addColumn("application", "text")
      .addColumn("account", "text")
      .addColumn("target", "text")
      .addPrimaryKeyConstraint("audit_entry_pk", ["created_at", "id"])
      .execute();
    for (const filter of ["operation", "key", "account"] as const) {
      await db.schema
        .createIndex(`audit_entry_by_${filter}`)
        .on("audit_entry")
        .columns([filter, "created_at", "id"])
        .execute();
    }
  },
};
