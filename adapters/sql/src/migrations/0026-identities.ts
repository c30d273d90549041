import type { Migration } from "./Migration.ts";

/** Stores the senders that an account may name. */
export const identities: Migration = {
  name: "0026-identities",
  up: async (db) => {
    await db.schema
      .createTable("identity")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("address_key", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("verification_hash", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .addUniqueConstraint("identity_by_address", ["account", "address_key"])
      .execute();
    await db.schema.createIndex("identity_by_verification").on("identity").column("verification_hash").execute();
  },
};
