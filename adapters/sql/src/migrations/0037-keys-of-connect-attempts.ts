import type { Migration } from "./Migration.ts";

/** Stores the service key of each link, so that the link ends with the key. Older links expire within minutes. */
export const keysOfConnectAttempts: Migration = {
  name: "0037-keys-of-connect-attempts",
  up: async (db) => {
    await db.schema.alterTable("connect_attempt").addColumn("key", "text").execute();
    await db.schema.createIndex("connect_attempt_by_key").on("connect_attempt").column("key").execute();
  },
};
