import type { Migration } from "./Migration.ts";

/** Stores the hashes of service keys, and the wrong keys of each network. */
export const serviceKeys: Migration = {
  name: "0020-service-keys",
  up: async ({ schema }) => {
    await schema
      .createTable("service_key")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("application", "text", (column) => column.notNull())
      .addColumn("grants", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("last_used_at", "bigint")
      .addColumn("send_per_day", "bigint")
      .addColumn("notify", "text")
      .execute();
    await schema.createIndex("service_key_by_application").on("service_key").column("application").execute();

    await schema
      .createTable("wrong_key")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("network", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("wrong_key_by_network").on("wrong_key").columns(["network", "at"]).execute();
    await schema.createIndex("wrong_key_by_age").on("wrong_key").column("at").execute();
  },
};
