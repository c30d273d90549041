import type { EventLedger, LedgerEntry } from "@postern/core/events";
import type { StoreUnavailable } from "@postern/core/shared";
import { Duration, Effect } from "effect";
import { sql } from "kysely";
import { Database } from "../database/Database.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import { eventOf } from "../tables/events.ts";

type Ledger = EventLedger["Service"];

const NUMBERED_AT_ONCE = 5_000;
const MARGIN_MILLIS = Duration.toMillis("10 minutes");

interface EventNumbers {
  readonly numberAll: Ledger["numberEvents"];
  readonly list: Ledger["listNumbered"];
  readonly numberOf: Ledger["numberOf"];
  readonly forget: (ids: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
}

/**
 * The feed of all accounts. Events get their numbers only when a program reads the feed. So appends wait for no lock,
 * an open transaction delays only its own events, and a service without readers writes nothing.
 */
export const eventNumbers = Effect.gen(function* (): Effect.fn.Return<EventNumbers, never, Database> {
  const { query, together, lockRows, tableOf } = yield* Database;

  const readFeed = query((db) => db.selectFrom("event_feed").selectAll().executeTakeFirstOrThrow());
  const hasUnnumbered = query((db) =>
    db
      .selectFrom("event")
      .select("id")
      .where("number", "is", null)
      // This is the order of the index of these rows, so that the database uses the index regardless of its statistics.
      .orderBy("account")
      .orderBy("position")
      .limit(1)
      .executeTakeFirst(),
  );

  /** Locks the row of the feed until the numbers are committed, so that numbers become visible in order. */
  const lockFeed = query((db) => lockRows(db.selectFrom("event_feed").selectAll()).executeTakeFirstOrThrow());

  const numberSome = Effect.gen(function* () {
    const { last } = yield* lockFeed;
    const numbered = yield* query((db) =>
      sql<{ readonly id: string }>`
        update ${sql.table("event")} set number = ${sql.lit(last)} + place
        from (
          select id as unnumbered, row_number() over (order by account, position) as place
          from ${sql.table("event")} where number is null order by account, position limit ${sql.lit(NUMBERED_AT_ONCE)}
        ) numbered
        where id = unnumbered returning id`.execute(db),
    );
    const count = numbered.rows.length;
    if (count > 0)
      yield* query((db) =>
        db
          .updateTable("event_feed")
          .set({ last: last + count })
          .execute(),
      );
    return count === NUMBERED_AT_ONCE;
  }).pipe(together);

  const numberAll: Ledger["numberEvents"] = Effect.gen(function* () {
    if ((yield* hasUnnumbered) !== undefined) while (yield* numberSome);
    return yield* readFeed;
  });

  const list: Ledger["listNumbered"] = Effect.fn("EventLedger.listNumbered")(function* (
    after,
    { accounts, types },
    limit,
  ) {
    const rows = yield* query((db) => {
      const all = db.selectFrom("event").selectAll().where("number", ">", after);
      const ofAccounts = accounts === undefined ? all : all.where("account", "in", idsParameter(tableOf, accounts));
      const ofTypes = types === undefined ? ofAccounts : ofAccounts.where("type", "in", idsParameter(tableOf, types));
      return ofTypes.orderBy("number").limit(limit).execute();
    });
    return rows.map((row): LedgerEntry => ({ position: row.number!, event: eventOf(row) }));
  });

  const numberOf: Ledger["numberOf"] = Effect.fn("EventLedger.numberOf")(function* ({ id, occurredAt }) {
    const { last } = yield* numberAll;
    const known = yield* query((db) => db.selectFrom("event").select("number").where("id", "=", id).executeTakeFirst());
    if (known?.number) return known.number;
    const later = yield* query((db) =>
      db
        .selectFrom("event")
        .select((row) => row.fn.min("number").as("first"))
        .where("occurred_at", ">=", occurredAt - MARGIN_MILLIS)
        .executeTakeFirst(),
    );
    return (later?.first ?? last + 1) - 1;
  });

  /** Records that events are deleted. An event without a number gets the next number, because readers at the end of the feed have missed it. */
  const forget = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const { last, forgotten } = yield* lockFeed;
    const events = yield* query((db) =>
      db.selectFrom("event").select("number").where("id", "in", idsParameter(tableOf, ids)).execute(),
    );
    const numbers = events.map(({ number }) => number ?? last + 1);
    const newest = Math.max(forgotten, ...numbers);
    yield* query((db) =>
      db
        .updateTable("event_feed")
        .set({ last: Math.max(last, newest), forgotten: newest })
        .execute(),
    );
  });

  return { numberAll, list, numberOf, forget };
});
