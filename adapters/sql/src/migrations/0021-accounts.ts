import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Stores accounts. Accounts with a stored credential become accounts that are not managed. */
export const accounts: Migration = {
  name: "0021-accounts",
  up: async (db) => {
    await db.schema
      .createTable("account")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("domain", "text", (column) => column.notNull())
      .addColumn("name", "text")
      .addColumn("managed", "integer", (column) => column.notNull())
      .addColumn("paused_at", "bigint")
      .addColumn("unreachable_cause", "text")
      .addColumn("unreachable_since", "bigint")
      .addColumn("refused_cause", "text")
      .addColumn("auth_kind", "text", (column) => column.notNull())
      .addColumn("provider", "text")
      .addColumn("servers", "text")
      .addColumn("capabilities", "text", (column) => column.notNull())
      .addColumn("tags", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("last_seen_at", "bigint")
      .execute();
    await db.schema.createIndex("account_by_domain").on("account").columns(["domain", "account"]).execute();
    await db.schema
      .createTable("account_tag")
      .addColumn("account", "text", (column) => column.notNull().references("account.account").onDelete("cascade"))
      .addColumn("tag", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("account_tag_key", ["account", "tag"])
      .execute();
    await db.schema.createIndex("account_by_tag").on("account_tag").columns(["tag", "account"]).execute();
    const { rows } = await sql<{ account: string; kept_at: number }>`
      select account, kept_at from credential`.execute(db);
    for (const { account, kept_at } of rows) {
      const domain = account.slice(account.lastIndexOf("@") + 1);
      await sql`insert into account (account, domain, managed, auth_kind, capabilities, tags, created_at)
        values (${account}, ${domain}, 0, 'password', '[]', '[]', ${kept_at})`.execute(db);
    }
  },
};
