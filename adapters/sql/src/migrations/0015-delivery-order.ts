import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Copies the type and position of its event to each delivery, so that an index can order and filter deliveries. */
export const deliveryOrder: Migration = {
  name: "0015-delivery-order",
  up: async (db) => {
    const { schema } = db;
    await schema
      .alterTable("delivery")
      .addColumn("type", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await schema
      .alterTable("delivery")
      .addColumn("position", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.dropIndex("delivery_order").execute();
    await schema.dropIndex("delivery_replay").execute();
    await sql`
      update delivery set type = event.type, position = event.position
      from event where event.id = delivery.event_id`.execute(db);
    const index = (name: string) => schema.createIndex(name).on("delivery");
    await index("delivery_order")
      .columns(["endpoint_id", "generation", "position", "id"])
      .where(sql<boolean>`state = 'pending'`)
      .execute();
    await index("delivery_replay")
      .columns(["endpoint_id", "occurred_at", "position"])
      .where(sql<boolean>`state in ('pending', 'exhausted')`)
      .execute();
    await index("delivery_state").columns(["endpoint_id", "state", "id"]).execute();
    await index("delivery_type").columns(["endpoint_id", "type", "id"]).execute();
    // Events are now listed by position.
    await schema.dropIndex("event_by_account").execute();
  },
};
