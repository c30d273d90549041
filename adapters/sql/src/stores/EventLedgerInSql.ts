import { AccountId, EventLedger, type EventType, type MailEvent } from "@postern/core";
import { Effect, Layer } from "effect";
import { Database } from "../Database.ts";
import type { EventRow } from "../Tables.ts";

/** An event as it was appended. */
export const eventOf = ({ id, account, type, occurred_at, body }: EventRow): MailEvent => ({
  id,
  account: AccountId(account),
  // Written by us and by nobody else.
  type: type as EventType,
  occurredAt: occurred_at,
  body: new Uint8Array(body),
});

/** Events in the table `event` (decisions 7). */
export const EventLedgerInSql: Layer.Layer<EventLedger, never, Database> = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { query } = yield* Database;

    return EventLedger.of({
      append: Effect.fn("EventLedger.append")(function* (events) {
        const rows = events.map(({ id, account, type, occurredAt, body }) => ({
          id,
          account,
          type,
          occurred_at: occurredAt,
          body,
        }));
        if (rows.length > 0) yield* query((db) => db.insertInto("event").values(rows).execute());
      }),

      find: Effect.fn("EventLedger.find")(function* (ids) {
        if (ids.length === 0) return [];
        const rows = yield* query((db) => db.selectFrom("event").selectAll().where("id", "in", ids).execute());
        return rows.map(eventOf);
      }),

      list: Effect.fn("EventLedger.list")(function* (account) {
        const rows = yield* query((db) =>
          db
            .selectFrom("event")
            .selectAll()
            .where("account", "=", account)
            .orderBy("occurred_at")
            .orderBy("id")
            .execute(),
        );
        return rows.map(eventOf);
      }),

      forget: Effect.fn("EventLedger.forget")(function* (before, limit) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("event")
            .where("id", "in", (old) =>
              old
                .selectFrom("event")
                .select("id")
                .where("occurred_at", "<", before)
                .orderBy("occurred_at")
                .orderBy("id")
                .limit(limit),
            )
            .executeTakeFirstOrThrow(),
        );
        return Number(numDeletedRows);
      }),

      erase: Effect.fn("EventLedger.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("event").where("account", "=", account).execute());
      }),
    });
  }),
);
