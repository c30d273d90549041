import type { Migration } from "./Migration.ts";

/** Ends sessions of the first format, whose refresh tokens have no id. */
export const sessions: Migration = {
  name: "0002-sessions",
  up: async (db) => {
    await db.schema.dropTable("session").execute();
    await db.schema
      .createTable("session")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("last_used_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("absolute_expires_at", "bigint", (column) => column.notNull())
      .addColumn("network", "text", (column) => column.notNull())
      .addColumn("user_agent", "text", (column) => column.notNull())
      .addColumn("cookie_hash", "text", (column) => column.unique())
      .addColumn("refresh_hash", "text")
      .addColumn("refresh_token_id", "text")
      .addColumn("refresh_key_id", "text")
      .addColumn("refresh_issued_at", "bigint")
      .addColumn("previous_hash", "text")
      .addColumn("rotated_at", "bigint")
      .execute();
    await db.schema.createIndex("session_by_account").on("session").column("account").execute();
    await db.schema.createIndex("session_by_expiry").on("session").column("expires_at").execute();

    await db.schema
      .createTable("login_attempt")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("network", "text", (column) => column.notNull())
      .addColumn("password_mark", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("outcome", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("login_attempt_by_account").on("login_attempt").columns(["account", "at"]).execute();
    await db.schema.createIndex("login_attempt_by_network").on("login_attempt").columns(["network", "at"]).execute();
    await db.schema.createIndex("login_attempt_by_age").on("login_attempt").column("at").execute();

    await db.schema
      .createTable("login_success")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("network", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("login_success_key", ["account", "network"])
      .execute();
  },
};
