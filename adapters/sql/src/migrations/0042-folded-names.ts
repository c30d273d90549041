import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

const ROWS_AT_ONCE = 500;

/** Stores the names of accounts in lower case as well, for searches. */
export const foldedNames: Migration = {
  name: "0042-folded-names",
  up: async (db) => {
    await db.schema.alterTable("account").addColumn("folded_name", "text").execute();
    for (let after = ""; ;) {
      const { rows } = await sql<{ readonly account: string; readonly name: string }>`
        select account, name from account where name is not null and account > ${after}
        order by account limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
      for (const { account, name } of rows) {
        await sql`update account set folded_name = ${name.toLowerCase()} where account = ${account}`.execute(db);
      }
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.account;
    }
  },
};
