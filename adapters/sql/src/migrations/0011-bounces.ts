import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

export const bounces: Migration = {
  name: "0011-bounces",
  up: async (db) => {
    await db.schema
      .createTable("parse_job")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("parse_job_by_due")
      .on("parse_job")
      .columns(["due_at", "id"])
      .where(sql.ref("due_at"), "is not", null)
      .execute();
    await db.schema.createIndex("parse_job_by_account").on("parse_job").column("account").execute();
    await db.schema
      .createTable("reported_recipient")
      .addColumn("outgoing_id", "text", (column) => column.notNull().references("outgoing.id").onDelete("cascade"))
      .addColumn("recipient", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("reported_recipient_key", ["outgoing_id", "recipient", "kind"])
      .execute();
  },
};
