import type { Migration } from "./Migration.ts";

/** Stores OAuth2 apps, attempts to connect an account, and the account whose grant opens a shared mailbox. */
export const oauth: Migration = {
  name: "0028-oauth",
  up: async (db) => {
    await db.schema
      .createTable("oauth_app")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("sealed", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("connect_attempt")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("sealed", "text", (column) => column.notNull())
      .addColumn("network", "text")
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("connect_attempt_by_network")
      .on("connect_attempt")
      .columns(["network", "expires_at"])
      .execute();
    await db.schema.createIndex("connect_attempt_by_expiry").on("connect_attempt").columns(["expires_at"]).execute();
    await db.schema.alterTable("credential").addColumn("delegate_of", "text").execute();
    await db.schema.createIndex("credential_by_delegate").on("credential").columns(["delegate_of"]).execute();
    await db.schema.createIndex("credential_by_rejection").on("credential").columns(["rejected_at"]).execute();
  },
};
