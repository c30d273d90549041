import type { Migration } from "./Migration.ts";

export const movedMessages: Migration = {
  name: "0010-moved-messages",
  up: async (db) => {
    await db.schema
      .createTable("moved_message")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("uid_validity", "bigint", (column) => column.notNull())
      .addColumn("uid", "bigint", (column) => column.notNull())
      .addColumn("to_folder_id", "text", (column) => column.notNull())
      .addColumn("to_uid_validity", "bigint", (column) => column.notNull())
      .addColumn("to_uid", "bigint", (column) => column.notNull())
      .addColumn("moved_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("moved_message_from", ["account", "folder_id", "uid_validity", "uid"])
      .execute();
    await db.schema.createIndex("moved_message_by_time").on("moved_message").columns(["moved_at"]).execute();
  },
};
