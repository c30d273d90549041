import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const arrivals: Migration = {
  name: "0009-arrivals",
  up: async (db) => {
    await db.schema
      .createTable("followed_mailbox")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("uid_validity", "bigint", (column) => column.notNull())
      .addColumn("uid_next", "bigint", (column) => column.notNull())
      .addColumn("highest_mod_seq", "bigint")
      .addColumn("complete", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("followed_mailbox_key", ["account", "folder_id"])
      .execute();

    await db.schema
      .createTable("seen_message")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("uid", "bigint", (column) => column.notNull())
      .addColumn("email_id", "text")
      .addColumn("message_id", "text")
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("arrived_at", "bigint", (column) => column.notNull())
      .addColumn("flags", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("seen_message_key", ["account", "folder_id", "uid"])
      .execute();

    await db.schema
      .createTable("expected_message")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("email_id", "text")
      .addColumn("message_id", "text")
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("arrived_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("expected_message_by_account").on("expected_message").column("account").execute();

    await db.schema
      .createTable("account_watch")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("wanted_until", "bigint", (column) => column.notNull())
      .addColumn("owner", "text")
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("epoch", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("account_watch_by_owner").on("account_watch").column("owner").execute();
    await db.schema
      .createTable("node")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("event_count")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("count", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable("event")
      .addColumn("position", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update event set position = (
      select count(*) from event as other where other.account = event.account
      and (other.occurred_at < event.occurred_at or (other.occurred_at = event.occurred_at and other.id <= event.id)))`.execute(
      db,
    );
    await sql`insert into event_count (account, count) select account, max(position) from event group by account`.execute(
      db,
    );
    await db.schema.createIndex("event_by_position").on("event").columns(["account", "position"]).execute();

    await db.schema
      .alterTable("credential")
      .addColumn("rejection_told", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
