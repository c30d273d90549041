import type { Migration } from "./Migration.ts";

export const serviceSecrets: Migration = {
  name: "0003-service-secrets",
  up: async (db) => {
    await db.schema
      .createTable("service_secret")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("sealed", "text", (column) => column.notNull())
      .execute();
  },
};
