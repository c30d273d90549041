import { type AccountId, EventLedger, type LedgerEntry, type MailEvent } from "@postern/core";
import { Effect, Layer, Option, Queue } from "effect";
import { Memory } from "./Memory.ts";

const byTime = (one: MailEvent, other: MailEvent) =>
  one.occurredAt === other.occurredAt ? (one.id < other.id ? -1 : 1) : one.occurredAt - other.occurredAt;

/** Events that last as long as the process. */
export const EventLedgerInMemory = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const entries = yield* cell<ReadonlyArray<LedgerEntry>>([]);
    const readers = new Set<{ readonly account: AccountId; readonly queue: Queue.Queue<void> }>();
    let last = 0;
    const of = (account: AccountId) =>
      Effect.map(entries.get, (all) => all.filter(({ event }) => event.account === account));

    return EventLedger.of({
      append: (events) =>
        Effect.andThen(
          entries.modify((all) => [undefined, [...all, ...events.map((event) => ({ position: ++last, event }))]]),
          Effect.sync(() => {
            const accounts = new Set(events.map(({ account }) => account));
            // Whoever reads waits for the transaction to end.
            for (const { account, queue } of readers) if (accounts.has(account)) Queue.offerUnsafe(queue, undefined);
          }),
        ),
      find: (ids) =>
        Effect.map(entries.get, (all) => all.flatMap(({ event }) => (ids.includes(event.id) ? [event] : []))),
      list: (account) => Effect.map(of(account), (all) => all.map(({ event }) => event).toSorted(byTime)),
      forget: (before, limit) =>
        entries.modify((all) => {
          const old = new Set(all.filter(({ event }) => event.occurredAt < before).slice(0, limit));
          return [old.size, all.filter((entry) => !old.has(entry))];
        }),
      after: (account, position, limit) =>
        Effect.map(of(account), (all) => all.filter((entry) => entry.position > position).slice(0, limit)),
      positionOf: (account, id) =>
        Effect.map(of(account), (all) =>
          Option.map(Option.fromUndefinedOr(all.find(({ event }) => event.id === id)), ({ position }) => position),
        ),
      lastPosition: (account) => Effect.map(of(account), (all) => all.at(-1)?.position ?? 0),
      appended: Effect.fnUntraced(function* (account) {
        const queue = yield* Queue.sliding<void>(1);
        const reader = { account, queue };
        yield* Effect.acquireRelease(
          Effect.sync(() => readers.add(reader)),
          () => Effect.sync(() => readers.delete(reader)),
        );
        return Queue.take(queue);
      }),
      erase: (account) => entries.modify((all) => [undefined, all.filter(({ event }) => event.account !== account)]),
    });
  }),
);
