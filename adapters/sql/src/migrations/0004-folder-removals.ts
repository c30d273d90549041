import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const folderRemovals: Migration = {
  name: "0004-folder-removals",
  up: async (db) => {
    await db.schema
      .alterTable("folder")
      .addColumn("created_at", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update folder set created_at =
      (select listed_at from folder_list where folder_list.account = folder.account)`.execute(db);

    await db.schema
      .createTable("folder_removal")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("path", "text", (column) => column.notNull())
      .addColumn("uid_validity", "bigint")
      .addColumn("hidden_path", "text", (column) => column.notNull())
      .addColumn("delimiter", "text")
      .addColumn("destination_id", "text")
      .addColumn("destination_path", "text")
      .addColumn("phase", "text", (column) => column.notNull())
      .addColumn("moved", "bigint", (column) => column.notNull())
      .addColumn("remaining", "bigint", (column) => column.notNull())
      .addColumn("batch_mailbox", "text")
      .addColumn("batch_last_uid", "bigint")
      .addColumn("batch_count", "bigint")
      .addColumn("batch_copied_from", "bigint")
      .addColumn("begun_at", "bigint", (column) => column.notNull())
      .addColumn("lease_owner", "text")
      .addColumn("lease_until", "bigint")
      .addUniqueConstraint("folder_removal_of_folder", ["account", "folder_id"])
      .execute();
  },
};
