import { AccountId, EventLedger } from "@postern/core";
import { Effect, Layer } from "effect";
import { Database } from "../Database.ts";

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
        return rows.map(({ id, type, occurred_at, body }) => ({
          id,
          account: AccountId(account),
          type,
          occurredAt: occurred_at,
          body: new Uint8Array(body),
        }));
      }),

      erase: Effect.fn("EventLedger.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("event").where("account", "=", account).execute());
      }),
    });
  }),
);
