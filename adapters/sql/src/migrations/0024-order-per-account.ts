import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Copies the account of its event to each delivery, because an ordered endpoint keeps the order of each account. */
export const orderPerAccount: Migration = {
  name: "0024-order-per-account",
  up: async (db) => {
    const { schema } = db;
    await schema
      .alterTable("delivery")
      .addColumn("account", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await schema.dropIndex("delivery_order").execute();
    await schema.dropIndex("delivery_in_flight").execute();
    await sql`update delivery set account = event.account from event where event.id = delivery.event_id`.execute(db);
    const index = (name: string) => schema.createIndex(name).on("delivery");
    await index("delivery_order")
      .columns(["endpoint_id", "generation", "account", "position", "id"])
      .where(sql<boolean>`state = 'pending'`)
      .execute();
    await index("delivery_in_flight")
      .columns(["endpoint_id", "account"])
      .where(sql<boolean>`state = 'in_flight'`)
      .execute();
  },
};
