import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Numbers the events of all accounts once a program reads them as one feed. */
export const eventFeed: Migration = {
  name: "0043-event-feed",
  up: async (db) => {
    await db.schema.alterTable("event").addColumn("number", "bigint").execute();
    await db.schema
      .createIndex("event_number")
      .unique()
      .on("event")
      .column("number")
      .where("number", "is not", null)
      .execute();
    await db.schema
      .createIndex("event_unnumbered")
      .on("event")
      .columns(["account", "position"])
      .where(sql.ref("number"), "is", null)
      .execute();
    await db.schema
      .createTable("event_feed")
      .addColumn("epoch", "text", (column) => column.notNull())
      .addColumn("last", "bigint", (column) => column.notNull())
      .addColumn("forgotten", "bigint", (column) => column.notNull())
      .execute();
    const epoch = globalThis.crypto.randomUUID().slice(0, 8);
    await db.insertInto("event_feed").values({ epoch, last: 0, forgotten: 0 }).execute();
  },
};
