import type { Migration } from "./Migration.ts";

/** Stores the idempotency keys of requests that create a resource. */
export const creations: Migration = {
  name: "0036-creations",
  up: async (db) => {
    await db.schema
      .createTable("creation")
      .addColumn("caller", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("request_hash", "text", (column) => column.notNull())
      .addColumn("account", "text")
      .addColumn("resource", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("lease_token", "text")
      .addColumn("lease_until", "bigint")
      .addPrimaryKeyConstraint("creation_pk", ["caller", "key"])
      .execute();
    await db.schema.createIndex("creation_by_age").on("creation").column("created_at").execute();
    await db.schema.createIndex("creation_by_account").on("creation").column("account").execute();
  },
};
