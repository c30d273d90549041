import type { Migration } from "./Migration.ts";

/** Stores the people to whom accounts wrote, and the progress of reading Sent for them. */
export const contacts: Migration = {
  name: "0050-contacts",
  up: async (db) => {
    await db.schema
      .createTable("contact")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("address_key", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("folded", "text", (column) => column.notNull())
      .addColumn("last_written_at", "bigint", (column) => column.notNull())
      .addColumn("forgotten_at", "bigint")
      .addUniqueConstraint("contact_by_address", ["account", "address_key"])
      .execute();
    await db.schema
      .createTable("sent_scan")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("uid_validity", "bigint", (column) => column.notNull())
      .addColumn("uid_from", "bigint", (column) => column.notNull())
      .addColumn("uid_below", "bigint", (column) => column.notNull())
      .execute();
  },
};
