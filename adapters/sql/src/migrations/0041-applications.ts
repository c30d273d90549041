import type { Migration } from "./Migration.ts";

/** Stores the profile that the operator gives an application. */
export const applications: Migration = {
  name: "0041-applications",
  up: async ({ schema }) => {
    await schema
      .createTable("application")
      .addColumn("application", "text", (column) => column.primaryKey())
      .addColumn("display_name", "text")
      .addColumn("purpose", "text")
      .addColumn("colour", "text")
      .addColumn("logo", "text")
      .addColumn("notify", "text")
      .execute();
  },
};
