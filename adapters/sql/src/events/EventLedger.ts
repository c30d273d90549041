import { AccountId } from "@postern/core/shared";
import { EventLedger, type LedgerEntry } from "@postern/core/events";
import { Effect, Layer, Option, Queue } from "effect";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Tables } from "../tables/Tables.ts";
import { eventOf, type EventRow } from "../tables/events.ts";
import { eventNumbers } from "./event-numbers.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import { deleteDeliveries } from "../webhooks/delivery-rows.ts";

const byAccount = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);

/** Number of wake-up names for events between processes; accounts share them. */
const WAKE_UP_NAMES = 16;

const wakeUpIndexOf = (account: string): number => {
  let sum = 0;
  for (let at = 0; at < account.length; at++) sum = (sum * 31 + account.charCodeAt(at)) >>> 0;
  return sum % WAKE_UP_NAMES;
};

const entryOf = (row: EventRow): LedgerEntry => ({ position: row.position, event: eventOf(row) });

/** Selects events and their order. */
type SelectEvents = (
  query: SelectQueryBuilder<Tables, "event", { readonly id: string }>,
) => SelectQueryBuilder<Tables, "event", { readonly id: string }>;

/** Events in the table `event`; the account's row in `event_count` orders concurrent appends. */
export const layer: Layer.Layer<EventLedger, never, Database> = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { query, together, afterCommit, wakeUp, isOursAlone, tableOf } = yield* Database;
    /** The readers by account; readers under null read the events of all accounts. */
    const readers = new Map<AccountId | null, Set<Queue.Queue<void>>>();
    const wakeReaders = (account: AccountId | null) =>
      Effect.sync(() => {
        for (const reader of readers.get(account) ?? []) Queue.offerUnsafe(reader, undefined);
      });
    const wakeUps = isOursAlone ? [] : Array.from({ length: WAKE_UP_NAMES }, (_, n) => wakeUp(`event ${n}`));
    const scope = yield* Effect.scope;
    const listened = new Set<number>();
    /** Starts to listen for the account's wake-up when the first reader arrives. */
    const listen = (n: number) =>
      Effect.suspend(() => {
        const shared = wakeUps[n];
        if (shared === undefined || listened.has(n)) return Effect.void;
        listened.add(n);
        const accountsOfReaders = Effect.sync(() =>
          [...readers.keys()].filter((reader) => reader === null || wakeUpIndexOf(reader) === n),
        );
        const round = Effect.andThen(
          shared.changed,
          Effect.flatMap(accountsOfReaders, (accounts) => Effect.forEach(accounts, wakeReaders, { discard: true })),
        );
        return Effect.asVoid(Effect.forkIn(Effect.forever(round), scope));
      });
    const wake = (account: AccountId) =>
      wakeUps[wakeUpIndexOf(account)]?.wake(0) ?? afterCommit(Effect.andThen(wakeReaders(account), wakeReaders(null)));

    const countMore = compiledWith((db, counted: { readonly account: string; readonly count: number }) =>
      db
        .insertInto("event_count")
        .values(counted)
        .onConflict((conflict) =>
          conflict.column("account").doUpdateSet((row) => ({ count: row("event_count.count", "+", counted.count) })),
        )
        .returning("count"),
    );
    const insertOne = compiledWith((db, row: EventRow) =>
      db
        .insertInto("event")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id"),
    );
    const insertMany = (db: Kysely<Tables>, rows: ReadonlyArray<EventRow>) =>
      db
        .insertInto("event")
        .values(rows)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .execute();

    /** Reserves positions. The row stays locked until the transaction ends, so positions become visible in order. */
    const take = Effect.fnUntraced(function* (account: AccountId, many: number) {
      const { rows } = yield* query((db) => countMore(db, { account, count: many }));
      return rows[0]!.count - many + 1;
    });

    const feed = yield* eventNumbers;

    /** Erases some events. The deliveries of an event are erased before the event, because there may be many. */
    const eraseSome = Effect.fnUntraced(function* (
      select: SelectEvents,
      limit: number,
      before: typeof feed.forget = () => Effect.void,
    ) {
      const ids = (yield* query((db) => select(db.selectFrom("event").select("id")).limit(limit).execute())).map(
        ({ id }) => id,
      );
      if (ids.length === 0) return false;
      const hanging = yield* query((db) =>
        db
          .selectFrom("delivery")
          .select("id")
          .where("event_id", "in", idsParameter(tableOf, ids))
          .limit(limit)
          .execute(),
      );
      if (hanging.length > 0) {
        yield* query((db) =>
          deleteDeliveries(
            db,
            tableOf,
            hanging.map(({ id }) => id),
          ),
        );
        return true;
      }
      yield* before(ids);
      yield* query((db) => db.deleteFrom("event").where("id", "in", idsParameter(tableOf, ids)).execute());
      return ids.length === limit;
    }, together);

    return EventLedger.of({
      append: Effect.fnUntraced(function* (events) {
        const appended: Array<LedgerEntry> = [];
        // The accounts are locked in a fixed order, which prevents deadlocks.
        for (const [account, some] of [...Map.groupBy(events, (event) => event.account)].toSorted(byAccount)) {
          const first = yield* take(account, some.length);
          const entries = some.map((event, n) => ({ position: first + n, event }));
          const rows = entries.map(({ position, event: { id, type, occurredAt, body, folders, standsForMove } }) => ({
            id,
            account,
            type,
            occurred_at: occurredAt,
            body,
            position,
            number: null,
            folders: folders?.join(" ") ?? null,
            stands_for_move: standsForMove === true ? 1 : null,
          }));
          const made = yield* query(async (db) =>
            rows.length === 1 ? (await insertOne(db, rows[0]!)).rows : insertMany(db, rows),
          );
          const ids = new Set(made.map(({ id }) => id));
          appended.push(...entries.filter(({ event }) => ids.has(event.id)));
          yield* wake(account);
        }
        return appended;
      }, together),

      find: Effect.fn("EventLedger.find")(function* (ids) {
        if (ids.length === 0) return [];
        const rows = yield* query((db) => db.selectFrom("event").selectAll().where("id", "in", ids).execute());
        return rows.map(eventOf);
      }),

      list: Effect.fn("EventLedger.list")(function* (account) {
        const rows = yield* query((db) =>
          db.selectFrom("event").selectAll().where("account", "=", account).orderBy("position").execute(),
        );
        return rows.map(eventOf);
      }),

      forget: Effect.fn("EventLedger.forget")((before, limit) =>
        eraseSome(
          (of) => of.where("occurred_at", "<", before).orderBy("occurred_at").orderBy("id"),
          limit,
          feed.forget,
        ),
      ),

      after: Effect.fn("EventLedger.after")(function* (account, position, limit) {
        const rows = yield* query((db) =>
          db
            .selectFrom("event")
            .selectAll()
            .where("account", "=", account)
            .where("position", ">", position)
            .orderBy("position")
            .limit(limit)
            .execute(),
        );
        return rows.map(entryOf);
      }),

      numberEvents: feed.numberAll,
      listNumbered: feed.list,
      numberOf: feed.numberOf,

      positionOf: Effect.fn("EventLedger.positionOf")(function* (account, id) {
        const row = yield* query((db) =>
          db
            .selectFrom("event")
            .select("position")
            .where("id", "=", id)
            .where("account", "=", account)
            .executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), ({ position }) => position);
      }),

      newest: Effect.fn("EventLedger.newest")(function* (account) {
        const row = yield* query((db) =>
          db
            .selectFrom("event")
            .selectAll()
            .where("account", "=", account)
            .orderBy("position", "desc")
            .limit(1)
            .executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), entryOf);
      }),

      lastPosition: Effect.fn("EventLedger.lastPosition")(function* (account) {
        const row = yield* query((db) =>
          db.selectFrom("event_count").select("count").where("account", "=", account).executeTakeFirst(),
        );
        return row?.count ?? 0;
      }),

      watchAppends: Effect.fnUntraced(function* (account) {
        const reader = yield* Queue.sliding<void>(1);
        const ofAccount = readers.get(account) ?? new Set();
        readers.set(account, ofAccount.add(reader));
        const names = account === null ? wakeUps.keys() : [wakeUpIndexOf(account)];
        yield* Effect.forEach(names, listen, { discard: true });
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            ofAccount.delete(reader);
            if (ofAccount.size === 0 && readers.get(account) === ofAccount) readers.delete(account);
          }),
        );
        return Queue.take(reader);
      }),

      erase: Effect.fn("EventLedger.erase")(function* (account, limit) {
        if (yield* eraseSome((of) => of.where("account", "=", account).orderBy("position"), limit)) return true;
        yield* query((db) => db.deleteFrom("event_count").where("account", "=", account).execute());
        return false;
      }, together),
    });
  }),
);
