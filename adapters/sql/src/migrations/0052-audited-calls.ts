import type { Migration } from "./Migration.ts";

/**
 * Lets an entry of the audit have several ids and an outcome. Earlier releases insert entries with a single target and
 * no outcome.
 */
export const auditedCalls: Migration = {
  name: "0052-audited-calls",
  up: async (db) => {
    const missing = { ids: "", outcome: "done" };
    for (const [name, value] of Object.entries(missing)) {
      await db.schema
        .alterTable("audit_entry")
        .addColumn(name, "text", (column) => column.notNull().defaultTo(value))
        .execute();
    }
  },
};
