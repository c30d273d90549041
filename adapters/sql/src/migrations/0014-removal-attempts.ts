import type { Migration } from "./Migration.ts";

/** Counts the attempts at folder removals, so that a removal that keeps failing ends. */
export const removalAttempts: Migration = {
  name: "0014-removal-attempts",
  up: async (db) => {
    const table = () => db.schema.alterTable("folder_removal");
    await table()
      .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await table()
      .addColumn("due_at", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await table().addColumn("reason", "text").execute();
  },
};
