import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const outgoingMail: Migration = {
  name: "0006-outgoing-mail",
  up: async (db) => {
    await db.schema
      .createTable("outgoing")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("message_id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("outgoing_by_due")
      .on("outgoing")
      .columns(["due_at", "id"])
      .where(sql.ref("due_at"), "is not", null)
      .execute();
    await db.schema
      .createIndex("outgoing_by_account")
      .on("outgoing")
      .columns(["account", "created_at", "id"])
      .execute();
    await db.schema.createIndex("outgoing_by_message_id").on("outgoing").column("message_id").execute();
    await db.schema
      .createTable("outgoing_contents")
      .addColumn("id", "text", (column) => column.primaryKey().references("outgoing.id").onDelete("cascade"))
      .addColumn("contents", "text", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("idempotency_key")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("body_hash", "text", (column) => column.notNull())
      .addColumn("outgoing_id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("answer", "text")
      .addPrimaryKeyConstraint("idempotency_key_key", ["account", "key"])
      .execute();
    await db.schema.createIndex("idempotency_key_by_outgoing").on("idempotency_key").column("outgoing_id").execute();

    await db.schema
      .createTable("send_quota")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("minute_started_at", "bigint", (column) => column.notNull())
      .addColumn("minute_used", "bigint", (column) => column.notNull())
      .addColumn("day_started_at", "bigint", (column) => column.notNull())
      .addColumn("day_used", "bigint", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("tracked_message")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("message_id", "text", (column) => column.notNull())
      .addColumn("recipient", "text")
      .addColumn("opens", "text", (column) => column.notNull())
      .addColumn("events", "bigint", (column) => column.notNull())
      .execute();
  },
};
