import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/**
 * Stores endpoints and their deliveries. The indexes are partial, because the tables may contain hundreds of thousands
 * of held or settled rows that no frequent query needs.
 */
export const webhooks: Migration = {
  name: "0008-webhooks",
  up: async (db) => {
    await db.schema
      .createTable("endpoint")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("url", "text", (column) => column.notNull())
      .addColumn("description", "text", (column) => column.notNull())
      .addColumn("events", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("disabled_at", "bigint")
      .addColumn("disabled_reason", "text")
      .addColumn("generation", "bigint", (column) => column.notNull())
      .addColumn("max_in_flight", "integer", (column) => column.notNull().check(sql`max_in_flight between 1 and 10`))
      .addColumn("ordered", "integer", (column) => column.notNull())
      .addColumn("disable_policy", "text", (column) => column.notNull())
      .addColumn("honour_retry_after", "integer", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("last_success_at", "bigint")
      .addColumn("last_delivery_at", "bigint")
      .addColumn("last_status", "integer")
      .addColumn("consecutive_failures", "bigint", (column) => column.notNull())
      .addColumn("last_claimed_at", "bigint")
      .execute();
    await db.schema
      .createIndex("endpoint_by_account")
      .on("endpoint")
      .columns(["account", "created_at", "id"])
      .execute();

    await db.schema
      .createTable("endpoint_secret")
      .addColumn("endpoint_id", "text", (column) => column.primaryKey().references("endpoint.id").onDelete("cascade"))
      .addColumn("sealed", "text", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("delivery")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("event_id", "text", (column) => column.notNull().references("event.id").onDelete("cascade"))
      .addColumn("endpoint_id", "text", (column) => column.notNull().references("endpoint.id").onDelete("cascade"))
      .addColumn("trigger", "text", (column) => column.notNull())
      .addColumn("occurred_at", "bigint", (column) => column.notNull())
      .addColumn("generation", "bigint", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("step", "integer", (column) => column.notNull())
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .addColumn("first_attempt_at", "bigint")
      .addColumn("lease_until", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("lost_claims", "integer", (column) => column.notNull())
      .addUniqueConstraint("delivery_once", ["event_id", "endpoint_id", "trigger"])
      .execute();
    const isPending = sql<boolean>`state = 'pending'`;
    const isInFlight = sql<boolean>`state = 'in_flight'`;
    const index = (name: string) => db.schema.createIndex(name).on("delivery");
    await index("delivery_due").columns(["endpoint_id", "generation", "due_at", "id"]).where(isPending).execute();
    await index("delivery_order")
      .columns(["endpoint_id", "generation", "occurred_at", "id"])
      .where(isPending)
      .execute();
    await index("delivery_in_flight").columns(["endpoint_id"]).where(isInFlight).execute();
    await index("delivery_lease").columns(["lease_until"]).where(isInFlight).execute();
    await index("delivery_log").columns(["endpoint_id", "id"]).execute();
    await index("delivery_replay").columns(["endpoint_id", "occurred_at", "event_id"]).execute();

    await db.schema
      .createTable("attempt")
      .addColumn("delivery_id", "text", (column) => column.notNull().references("delivery.id").onDelete("cascade"))
      .addColumn("n", "integer", (column) => column.notNull())
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("ms", "bigint", (column) => column.notNull())
      .addColumn("status", "integer")
      .addColumn("error_code", "text")
      .addColumn("excerpt", "text", (column) => column.notNull())
      .addColumn("remote_ip", "text")
      .addPrimaryKeyConstraint("attempt_key", ["delivery_id", "n"])
      .execute();

    await db.schema.createIndex("event_by_age").on("event").columns(["occurred_at", "id"]).execute();
  },
};
