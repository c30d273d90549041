import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/Tables.ts";
import type { Migration } from "./Migration.ts";

const ROWS_AT_ONCE = 500;

interface Row {
  readonly id: string;
  readonly record: string;
}

/** Stores the state of each outgoing message, for lists and counts, and the change that was requested of a leased message. */
export const outgoingStates: Migration = {
  name: "0038-outgoing-states",
  up: async (db) => {
    await db.schema
      .alterTable("outgoing")
      .addColumn("state", "text", (column) => column.notNull().defaultTo("failed"))
      .execute();
    await db.schema.alterTable("outgoing").addColumn("asked", "text").execute();
    for (let after = ""; ;) {
      const { rows } = await sql<Row>`
        select id, record from outgoing where id > ${after} order by id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
      await writeStates(db, rows);
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.id;
    }
    for (const [name, columns] of Object.entries({
      outgoing_by_age: ["created_at", "id"],
      outgoing_by_state: ["state", "created_at", "id"],
      outgoing_by_key: ["key_id", "created_at", "id"],
      outgoing_by_application: ["application", "created_at", "id"],
    })) {
      const index = db.schema.createIndex(name).on("outgoing").columns(columns);
      await (
        columns.length === 2 || columns[0] === "state" ? index : index.where(columns[0]!, "is not", null)
      ).execute();
    }
    // The indexes have the order in which many messages are changed.
    for (const column of ["key_id", "application"]) {
      const name = `outgoing_unfinished_by_${column.replace("_id", "")}`;
      await db.schema.dropIndex(name).execute();
      await db.schema
        .createIndex(name)
        .on("outgoing")
        .columns([column, "id"])
        .where(column, "is not", null)
        .where(sql.ref("due_at"), "is not", null)
        .execute();
    }
  },
};

const writeStates = async (db: Kysely<Tables>, rows: ReadonlyArray<Row>) => {
  for (const [state, some] of Map.groupBy(rows, ({ record }) => stateIn(record))) {
    const ids = sql.join(some.map(({ id }) => id));
    await sql`update outgoing set state = ${state} where id in (${ids})`.execute(db);
  }
};

/** Returns the state of a message, derived from its record. The state of an unreadable record is never shown. */
const stateIn = (record: string): string => {
  try {
    const { recipients, heldSince, scheduledFor, attemptAt } = JSON.parse(record);
    const has = (state: string) => recipients.some((one: { readonly state: string }) => one.state === state);
    if (has("unknown")) return "unknown";
    if (has("sent")) return "sent";
    if (has("dot")) return "sending";
    if (!has("queued")) return has("cancelled") ? "cancelled" : "failed";
    if (heldSince !== undefined) return "held";
    return scheduledFor !== null && attemptAt === scheduledFor ? "scheduled" : "queued";
  } catch {
    return "failed";
  }
};
