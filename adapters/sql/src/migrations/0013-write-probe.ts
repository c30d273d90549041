import type { Migration } from "./Migration.ts";

/**
 * The table in which the readiness check inserts and deletes a row. Each check has its own row, so processes do not
 * block one another.
 */
export const writeProbe: Migration = {
  name: "0013-write-probe",
  up: async (db) => {
    await db.schema
      .createTable("write_probe")
      .addColumn("id", "text", (column) => column.primaryKey())
      .execute();
  },
};
