import type { AccountId } from "@postern/core/shared";
import { EventLedger, type LedgerEntry } from "@postern/core/events";
import { Effect, HashMap, Layer, Option, Queue } from "effect";
import { Memory } from "../Memory.ts";

/** Events in the order of their appends, and the last position of each account, also after its events were erased. */
interface Rows {
  readonly entries: ReadonlyArray<LedgerEntry>;
  readonly last: HashMap.HashMap<AccountId, number>;
}

/** Events, kept in memory. */
export const layer = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const rows = yield* cell<Rows>({ entries: [], last: HashMap.empty() });
    const readers = new Set<{ readonly account: AccountId; readonly queue: Queue.Queue<void> }>();
    const all = Effect.map(rows.get, ({ entries }) => entries);
    const of = (account: AccountId) =>
      Effect.map(all, (entries) => entries.filter(({ event }) => event.account === account));

    return EventLedger.of({
      append: (events) =>
        Effect.tap(
          rows.modify((before) => {
            const known = new Set(before.entries.map(({ event }) => event.id));
            let last = before.last;
            const appended = events
              .filter(({ id }) => !known.has(id))
              .map((event) => {
                const position = Option.getOrElse(HashMap.get(last, event.account), () => 0) + 1;
                last = HashMap.set(last, event.account, position);
                return { position, event };
              });
            return [appended, { entries: [...before.entries, ...appended], last }];
          }),
          Effect.sync(() => {
            const accounts = new Set(events.map(({ account }) => account));
            // Readers wait until the transaction ends.
            for (const { account, queue } of readers) if (accounts.has(account)) Queue.offerUnsafe(queue, undefined);
          }),
        ),
      find: (ids) =>
        Effect.map(all, (entries) => entries.flatMap(({ event }) => (ids.includes(event.id) ? [event] : []))),
      list: (account) => Effect.map(of(account), (entries) => entries.map(({ event }) => event)),
      forget: (before, limit) =>
        rows.modify(({ entries, last }) => {
          const old = new Set(
            entries
              .filter(({ event }) => event.occurredAt < before)
              .toSorted((one, other) => one.event.occurredAt - other.event.occurredAt)
              .slice(0, limit),
          );
          return [old.size === limit, { entries: entries.filter((entry) => !old.has(entry)), last }];
        }),
      after: (account, position, limit) =>
        Effect.map(of(account), (entries) => entries.filter((entry) => entry.position > position).slice(0, limit)),
      positionOf: (account, id) =>
        Effect.map(of(account), (entries) =>
          Option.map(Option.fromUndefinedOr(entries.find(({ event }) => event.id === id)), ({ position }) => position),
        ),
      newest: (account) => Effect.map(of(account), (entries) => Option.fromUndefinedOr(entries.at(-1))),
      lastPosition: (account) =>
        Effect.map(rows.get, ({ last }) => Option.getOrElse(HashMap.get(last, account), () => 0)),
      appended: Effect.fnUntraced(function* (account) {
        const queue = yield* Queue.sliding<void>(1);
        const reader = { account, queue };
        yield* Effect.acquireRelease(
          Effect.sync(() => readers.add(reader)),
          () => Effect.sync(() => readers.delete(reader)),
        );
        return Queue.take(queue);
      }),
      erase: (account) =>
        rows.modify(({ entries, last }) => [
          false,
          { entries: entries.filter(({ event }) => event.account !== account), last },
        ]),
    });
  }),
);
