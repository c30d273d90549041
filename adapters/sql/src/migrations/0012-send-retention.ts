import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const sendRetention: Migration = {
  name: "0012-send-retention",
  up: async (db) => {
    await db.schema.alterTable("outgoing").addColumn("finished_at", "bigint").execute();
    await sql`update outgoing set finished_at = created_at where due_at is null`.execute(db);
    await db.schema
      .createIndex("outgoing_by_end")
      .on("outgoing")
      .column("finished_at")
      .where(sql.ref("finished_at"), "is not", null)
      .execute();
    await db.schema
      .createIndex("outgoing_unfinished")
      .on("outgoing")
      .column("account")
      .where(sql.ref("due_at"), "is not", null)
      .execute();
    await db.schema.createIndex("idempotency_key_by_age").on("idempotency_key").column("created_at").execute();
    await db.schema.createIndex("tracked_message_by_message").on("tracked_message").column("message_id").execute();
  },
};
