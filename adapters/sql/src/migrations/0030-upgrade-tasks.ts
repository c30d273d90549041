import type { Migration } from "./Migration.ts";

/** Stores which tasks were done after an upgrade. */
export const upgradeTasks: Migration = {
  name: "0030-upgrade-tasks",
  up: async (db) => {
    await db.schema
      .createTable("upgrade_task")
      .addColumn("name", "text", (column) => column.primaryKey())
      .execute();
  },
};
