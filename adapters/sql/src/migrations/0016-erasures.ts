import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** What is removed is hidden at once, and its rows are erased in slices. */
export const erasures: Migration = {
  name: "0016-erasures",
  up: async (db) => {
    await db.schema
      .createTable("account_erasure")
      .addColumn("account", "text", (column) => column.primaryKey())
      .execute();
    await db.schema.alterTable("endpoint").addColumn("removed_at", "bigint").execute();
    await db.schema
      .createIndex("endpoint_removed")
      .on("endpoint")
      .columns(["removed_at", "id"])
      .where(sql.ref("removed_at"), "is not", null)
      .execute();
    await db.schema.createIndex("tracked_message_by_account").on("tracked_message").column("account").execute();
  },
};
