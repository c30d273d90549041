import type { AccountId } from "@postern/core/shared";
import { EventLedger, type LedgerEntry, type MailEvent } from "@postern/core/events";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import { WebhookStoreInMemory } from "../webhooks/WebhookStoreInMemory.ts";

/** The events of an account in the order of their appends, and the last position, which stays after events are deleted. */
interface AccountEvents {
  readonly entries: ReadonlyArray<LedgerEntry>;
  readonly last: number;
}

const NOTHING: AccountEvents = { entries: [], last: 0 };

/** The numbers of events in the feed of all accounts, by their ids. */
interface Numbers extends Effect.Success<EventLedger["Service"]["numberEvents"]> {
  readonly of: HashMap.HashMap<string, number>;
}

const MARGIN_MILLIS = 600_000;

/** Events, kept in memory. A transaction that appends locks its account's row, so positions become visible in order. */
export const layer = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { cell, wake, listen } = yield* Memory;
    const { rows: webhooks } = yield* WebhookStoreInMemory;
    const accounts = yield* cell("events", HashMap.empty<AccountId, AccountEvents>());
    const numbers = yield* cell<Numbers>("event numbers", {
      epoch: "memory",
      last: 0,
      forgotten: 0,
      of: HashMap.empty(),
    });
    const wakeUpOf = (account: AccountId | null) => `events of ${account ?? "any"}`;
    const of = (account: AccountId) =>
      Effect.map(accounts.get, (all) => Option.getOrElse(HashMap.get(all, account), () => NOTHING));
    const find = (ids: ReadonlyArray<string>) =>
      Effect.map(accounts.get, (all) => {
        const wanted = new Set(ids);
        return [...HashMap.values(all)].flatMap(({ entries }) =>
          entries.flatMap(({ event }) => (wanted.has(event.id) ? [event] : [])),
        );
      });

    /** Deletes the deliveries of events that are deleted. */
    const withoutEvents = (events: ReadonlyArray<MailEvent>) => {
      if (events.length === 0) return Effect.void;
      const ids = new Set(events.map(({ id }) => id));
      return webhooks.modify((all) => [
        undefined,
        { ...all, deliveries: HashMap.filter(all.deliveries, ({ eventId }) => !ids.has(eventId)) },
      ]);
    };

    const numberEvents = Effect.flatMap(accounts.get, (all) =>
      numbers.modify((before) => {
        let { last, of } = before;
        for (const { entries } of HashMap.values(all)) {
          for (const { event } of entries) if (!HashMap.has(of, event.id)) of = HashMap.set(of, event.id, ++last);
        }
        const { epoch, forgotten } = before;
        return [{ epoch, forgotten, last }, last === before.last ? before : { ...before, last, of }];
      }),
    );
    const allNumbered = Effect.map(Effect.all([accounts.get, numbers.get]), ([all, { of }]) =>
      [...HashMap.values(all)].flatMap(({ entries }) =>
        entries.flatMap(({ event }): ReadonlyArray<LedgerEntry> =>
          Option.match(HashMap.get(of, event.id), { onNone: () => [], onSome: (position) => [{ position, event }] }),
        ),
      ),
    );
    const withoutNumbers = (events: ReadonlyArray<MailEvent>) =>
      numbers.modify((before) => [
        undefined,
        { ...before, of: events.reduce((of, { id }) => HashMap.remove(of, id), before.of) },
      ]);
    /**
     * Forgets the numbers of deleted events. An event that was deleted before it got a number counts as numbered,
     * because a reader at the end of the feed has missed the event.
     */
    const forgetNumbers = (events: ReadonlyArray<MailEvent>) =>
      Effect.andThen(
        numbers.modify((before) => {
          let { last, forgotten } = before;
          for (const { id } of events) {
            const number = Option.getOrElse(HashMap.get(before.of, id), () => last + 1);
            last = Math.max(last, number);
            forgotten = Math.max(forgotten, number);
          }
          return [undefined, { ...before, last, forgotten }];
        }),
        withoutNumbers(events),
      );

    return EventLedger.of({
      append: (events) =>
        Effect.tap(
          accounts.modify((all) => {
            const appended: Array<LedgerEntry> = [];
            let after = all;
            for (const [account, some] of Map.groupBy(events, (event) => event.account)) {
              const { entries, last } = Option.getOrElse(HashMap.get(all, account), () => NOTHING);
              const known = new Set(entries.map(({ event }) => event.id));
              const added = some
                .filter(({ id }) => !known.has(id))
                .map((event, n): LedgerEntry => ({ position: last + n + 1, event }));
              appended.push(...added);
              after = HashMap.set(after, account, { entries: [...entries, ...added], last: last + added.length });
            }
            return [appended, after];
          }),
          Effect.forEach(new Set(events.map(({ account }) => account)), (account) => wake(wakeUpOf(account))).pipe(
            Effect.andThen(events.length === 0 ? Effect.void : wake(wakeUpOf(null))),
          ),
        ),
      find,
      list: (account) => Effect.map(of(account), ({ entries }) => entries.map(({ event }) => event)),
      forget: (before, limit) =>
        accounts
          .modify((all) => {
            const old = [...HashMap.values(all)]
              .flatMap(({ entries }) => entries.map(({ event }) => event))
              .filter(({ occurredAt }) => occurredAt < before)
              .toSorted((one, other) => one.occurredAt - other.occurredAt)
              .slice(0, limit);
            const ids = new Set(old.map(({ id }) => id));
            const after = old.reduce(
              (some, { account }) =>
                HashMap.modify(some, account, ({ entries, last }) => ({
                  entries: entries.filter(({ event }) => !ids.has(event.id)),
                  last,
                })),
              all,
            );
            return [old, after];
          })
          .pipe(
            Effect.tap((old) => forgetNumbers(old)),
            Effect.flatMap((old) => Effect.as(withoutEvents(old), old.length === limit)),
          ),
      after: (account, position, limit) =>
        Effect.map(of(account), ({ entries }) => entries.filter((entry) => entry.position > position).slice(0, limit)),
      numberEvents,
      listNumbered: (after, { accounts: named, types }, limit) =>
        Effect.map(allNumbered, (all) =>
          all
            .filter(({ event }) => named === undefined || named.includes(event.account))
            .filter(({ event }) => types === undefined || types.includes(event.type))
            .filter(({ position }) => position > after)
            .toSorted((one, other) => one.position - other.position)
            .slice(0, limit),
        ),
      numberOf: ({ id, occurredAt }) =>
        Effect.map(Effect.all([allNumbered, numberEvents]), ([all, { last }]) => {
          const found = all.find(({ event }) => event.id === id);
          const later = all.filter(({ event }) => event.occurredAt >= occurredAt - MARGIN_MILLIS);
          return found?.position ?? Math.min(last, ...later.map(({ position }) => position - 1));
        }),
      positionOf: (account, id) =>
        Effect.map(of(account), ({ entries }) =>
          Option.map(Option.fromUndefinedOr(entries.find(({ event }) => event.id === id)), ({ position }) => position),
        ),
      newest: (account) => Effect.map(of(account), ({ entries }) => Option.fromUndefinedOr(entries.at(-1))),
      lastPosition: (account) => Effect.map(of(account), ({ last }) => last),
      watchAppends: (account) => listen(wakeUpOf(account)),
      erase: (account) =>
        Effect.flatMap(of(account), ({ entries }) => {
          const events = entries.map(({ event }) => event);
          return Effect.andThen(withoutNumbers(events), withoutEvents(events));
        }).pipe(Effect.andThen(accounts.modify((all) => [false, HashMap.remove(all, account)]))),
    });
  }),
);
