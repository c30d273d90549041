import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/**
 * Replaces a flag of followed mailboxes by a UID. The flag told whether all messages are recorded; now all messages
 * from this UID on are recorded.
 */
export const seenFrom: Migration = {
  name: "0017-seen-from",
  up: async (db) => {
    await db.schema
      .alterTable("followed_mailbox")
      .addColumn("seen_from", "bigint", (column) => column.notNull().defaultTo(1))
      .execute();
    await sql`update followed_mailbox set seen_from = uid_next where complete = 0`.execute(db);
    await db.schema.alterTable("followed_mailbox").dropColumn("complete").execute();
  },
};
