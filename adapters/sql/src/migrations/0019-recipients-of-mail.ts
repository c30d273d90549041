import { Option, Schema } from "effect";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/Tables.ts";
import type { Migration } from "./Migration.ts";

const MESSAGES_AT_ONCE = 500;
/** Maximum number of rows in one INSERT, because a statement has a limited number of parameters. */
const ROWS_AT_ONCE = 1_000;

const recipientsOf = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ recipients: Schema.Array(Schema.Struct({ address: Schema.String })) })),
);

const keyOf = (address: string): string => address.trim().replaceAll(/^<|>$/g, "").normalize("NFC").toLowerCase();

/** Stores the recipients of outgoing messages in rows, so that a bounce finds the messages to an address. */
export const recipientsOfMail: Migration = {
  name: "0019-recipients-of-mail",
  up: async (db) => {
    await db.schema
      .createTable("outgoing_recipient")
      .addColumn("outgoing_id", "text", (column) => column.notNull().references("outgoing.id").onDelete("cascade"))
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("outgoing_recipient_key", ["outgoing_id", "address"])
      .execute();
    await db.schema
      .createIndex("outgoing_recipient_by_address")
      .on("outgoing_recipient")
      .columns(["account", "address", "created_at", "outgoing_id"])
      .execute();
    for (let last: string | undefined = ""; last !== undefined;) last = await fillAfter(db, last);
  },
};

/** Adds the recipients of some messages. Returns the id of the last message, or undefined when no message is left. */
const fillAfter = async (db: Kysely<Tables>, last: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string; account: string; created_at: number; record: string }>`
    select id, account, created_at, record from outgoing where id > ${last} order by id limit ${MESSAGES_AT_ONCE}`.execute(
    db,
  );
  const recipients = rows.flatMap(({ id, account, created_at, record }) => {
    const known = Option.match(recipientsOf(record), { onNone: () => [], onSome: (message) => message.recipients });
    return [...new Set(known.map(({ address }) => keyOf(address)))].map(
      (address) => sql`(${id}, ${address}, ${account}, ${created_at})`,
    );
  });
  for (let from = 0; from < recipients.length; from += ROWS_AT_ONCE) {
    const some = sql.join(recipients.slice(from, from + ROWS_AT_ONCE));
    await sql`insert into outgoing_recipient (outgoing_id, address, account, created_at) values ${some}`.execute(db);
  }
  return rows.at(-1)?.id;
};
