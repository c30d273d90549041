import type { Migration } from "./Migration.ts";

/** Stores the approvals that agents requested. */
export const approvals: Migration = {
  name: "0047-approvals",
  up: async (db) => {
    await db.schema
      .createTable("approval")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("draft", "text", (column) => column.notNull())
      .addColumn("requester", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    for (const [name, columns] of [
      ["account", ["account", "created_at", "id"]],
      ["draft", ["account", "draft", "state"]],
      ["requester", ["requester", "state"]],
      ["expiry", ["state", "expires_at"]],
    ] as const) {
      await db.schema
        .createIndex(`approval_by_${name}`)
        .on("approval")
        .columns([...columns])
        .execute();
    }
  },
};
