import type { Migration } from "./Migration.ts";

/** Stores the tasks that were completed after an upgrade. */
export const upgradeTasks: Migration = {
  name: "0030-upgrade-tasks",
  up: async (db) => {
    await db.schema
      .createTable("upgrade_task")
      .addColumn("name", "text", (column) => column.primaryKey())
      .execute();
  },
};
