import type { Migration } from "./Migration.ts";

/** Stores the messages that left a followed mailbox, so that a returning message is recognised. */
export const leftMessages: Migration = {
  name: "0033-left-messages",
  up: async (db) => {
    await db.schema
      .createTable("left_message")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("email_id", "text")
      .addColumn("message_id", "text")
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("arrived_at", "bigint", (column) => column.notNull())
      .addColumn("left_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("left_message_by_size")
      .on("left_message")
      .columns(["account", "folder_id", "size"])
      .execute();
    await db.schema.createIndex("left_message_by_time").on("left_message").columns(["account", "left_at"]).execute();
  },
};
