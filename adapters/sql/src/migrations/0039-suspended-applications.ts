import type { Migration } from "./Migration.ts";

/** Stores the suspended applications. An application without a row is not suspended. */
export const suspendedApplications: Migration = {
  name: "0039-suspended-applications",
  up: async ({ schema }) => {
    await schema
      .createTable("suspended_application")
      .addColumn("application", "text", (column) => column.primaryKey())
      .addColumn("suspended_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
