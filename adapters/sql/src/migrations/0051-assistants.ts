import type { Migration } from "./Migration.ts";

/** Stores the grants of assistants, their codes, and the clients that have no document. */
export const assistants: Migration = {
  name: "0051-assistants",
  up: async (db) => {
    await db.schema
      .createTable("agent_grant")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("agent_grant_by_account")
      .on("agent_grant")
      .columns(["account", "created_at", "id"])
      .execute();
    await db.schema.createIndex("agent_grant_by_expiry").on("agent_grant").columns(["expires_at"]).execute();
    await db.schema
      .createTable("authorization_code")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("authorization_code_by_account")
      .on("authorization_code")
      .columns(["account"])
      .execute();
    await db.schema
      .createIndex("authorization_code_by_expiry")
      .on("authorization_code")
      .columns(["expires_at"])
      .execute();
    await db.schema
      .createTable("assistant_client")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("registered", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("assistant_client_by_age")
      .on("assistant_client")
      .columns(["registered", "created_at", "id"])
      .execute();
  },
};
