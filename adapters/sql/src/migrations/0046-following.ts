import type { Migration } from "./Migration.ts";

/**
 * Supports following all folders of an account: finds messages of equal size, and stores the folders of events and
 * endpoints.
 */
export const following: Migration = {
  name: "0046-following",
  up: async (db) => {
    await db.schema.alterTable("account").addColumn("follow", "text").execute();
    await db.schema.createIndex("seen_message_by_size").on("seen_message").columns(["account", "size"]).execute();
    await db.schema.alterTable("event").addColumn("folders", "text").execute();
    await db.schema.alterTable("event").addColumn("stands_for_move", "integer").execute();
    await db.schema.alterTable("endpoint").addColumn("folders", "text").execute();
  },
};
