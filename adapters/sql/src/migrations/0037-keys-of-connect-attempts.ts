import type { Migration } from "./Migration.ts";

/** Names the service key of links, so that they end with it. Older ones expire within minutes. */
export const keysOfConnectAttempts: Migration = {
  name: "0037-keys-of-connect-attempts",
  up: async (db) => {
    await db.schema.alterTable("connect_attempt").addColumn("key", "text").execute();
    await db.schema.createIndex("connect_attempt_by_key").on("connect_attempt").column("key").execute();
  },
};
