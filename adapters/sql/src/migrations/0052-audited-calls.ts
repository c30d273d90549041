import type { Migration } from "./Migration.ts";

/** Lets an entry of the audit say several ids and an outcome. Earlier processes insert what was done, with its target alone. */
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
