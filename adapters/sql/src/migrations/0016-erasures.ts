import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Hides removed accounts and endpoints at once, so that their rows can be erased in slices. Adds an index for each filter of deliveries. */
export const erasures: Migration = {
  name: "0016-erasures",
  up: async (db) => {
    const { schema } = db;
    await schema
      .createTable("account_erasure")
      .addColumn("account", "text", (column) => column.primaryKey())
      .execute();
    await schema.alterTable("endpoint").addColumn("removed_at", "bigint").execute();
    await schema
      .createIndex("endpoint_removed")
      .on("endpoint")
      .columns(["removed_at", "id"])
      .where(sql.ref("removed_at"), "is not", null)
      .execute();
    await schema.createIndex("tracked_message_by_account").on("tracked_message").column("account").execute();

    await schema.dropIndex("delivery_type").execute();
    await schema.createIndex("delivery_type").on("delivery").columns(["endpoint_id", "type", "state", "id"]).execute();
    // The condition is written to match no other index, because with `delivery_state` SQLite would sort all rows for
    // each slice.
    await schema.dropIndex("delivery_replay").execute();
    await schema
      .createIndex("delivery_replay")
      .on("delivery")
      .columns(["endpoint_id", "occurred_at", "position"])
      .where(sql<boolean>`coalesce(state, '') in ('pending', 'exhausted')`)
      .execute();
  },
};
