import type { Migration } from "./Migration.ts";

/** Stores the senders whose arrivals are moved to Junk. */
export const senderBlocks: Migration = {
  name: "0049-sender-blocks",
  up: async (db) => {
    await db.schema
      .createTable("sender_block")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("address_key", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addUniqueConstraint("sender_block_by_address", ["account", "address_key"])
      .execute();
  },
};
