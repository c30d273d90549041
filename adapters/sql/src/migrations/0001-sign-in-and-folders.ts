import type { Migration } from "./Migration.ts";

export const signInAndFolders: Migration = {
  name: "0001-sign-in-and-folders",
  up: async (db) => {
    await db.schema
      .createTable("credential")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("version", "bigint", (column) => column.notNull())
      .addColumn("sealed", "text", (column) => column.notNull())
      .addColumn("kept_at", "bigint", (column) => column.notNull())
      .addColumn("rejected_at", "bigint")
      .execute();

    await db.schema
      .createTable("session")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("absolute_expires_at", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint")
      .execute();
    await db.schema.createIndex("session_by_account").on("session").column("account").execute();

    await db.schema
      .createTable("folder_list")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("listed_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("folder")
      .addColumn("account", "text", (column) => column.notNull().references("folder_list.account").onDelete("cascade"))
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("path", "text", (column) => column.notNull())
      .addColumn("mailbox_id", "text")
      .addColumn("uid_validity", "bigint")
      .addColumn("uid_next", "bigint")
      .addPrimaryKeyConstraint("folder_key", ["account", "id"])
      .execute();
  },
};
