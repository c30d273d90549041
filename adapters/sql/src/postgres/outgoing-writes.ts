import { sql } from "kysely";
import type { OutgoingWrites } from "../database/Engine.ts";
import { tableOf } from "./table-of.ts";

const RECIPIENT = { outgoing_id: "text", address: "text", account: "text", created_at: "bigint" } as const;
const FINISHED = {
  id: "text",
  token: "text",
  provider_message_id: "text",
  state: "text",
  record: "text",
  finished_at: "bigint",
} as const;

/** Each write is a single statement, because a further statement would cost a round trip. */
export const outgoingWrites: OutgoingWrites = {
  insert: async (db, { message, recipients, contents }) => {
    await db
      .with("made", (made) => made.insertInto("outgoing").values(message))
      .with("addressed", (addressed) =>
        addressed
          .insertInto("outgoing_recipient")
          .columns(["outgoing_id", "address", "account", "created_at"])
          .expression(
            sql`select outgoing_id, address, account, created_at from ${tableOf(RECIPIENT, recipients)} given`,
          ),
      )
      .insertInto("outgoing_contents")
      .values({ id: message.id, contents })
      .execute();
  },

  finish: async (db, finished) => {
    const { rows } = await sql<{ readonly id: string }>`
      with ours as (
        select outgoing.id, given.provider_message_id, given.state, given.record, given.finished_at
        from ${sql.table("outgoing")} join ${tableOf(FINISHED, finished)} given on given.id = outgoing.id
        where outgoing.lease_token = given.token
        order by outgoing.id for no key update of outgoing
      ), saved as (
        update ${sql.table("outgoing")} set provider_message_id = ours.provider_message_id, state = ours.state, asked = null, record = ours.record,
          finished_at = ours.finished_at, lease_token = null, due_at = null
        from ours where outgoing.id = ours.id
      ), emptied as (
        delete from ${sql.table("outgoing_contents")} where id in (select id from ours)
      )
      select id from ours`.execute(db);
    return rows.map(({ id }) => id);
  },
};
