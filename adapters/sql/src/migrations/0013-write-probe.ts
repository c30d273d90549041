import type { Migration } from "./Migration.ts";

/** Where readiness writes a row and deletes it again: no row stays, and no two processes wait for one another. */
export const writeProbe: Migration = {
  name: "0013-write-probe",
  up: async (db) => {
    await db.schema
      .createTable("write_probe")
      .addColumn("id", "text", (column) => column.primaryKey())
      .execute();
  },
};
