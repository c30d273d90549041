import type { AccountId } from "@postern/core/shared";
import { EventLedger, type LedgerEntry, type MailEvent } from "@postern/core/events";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import { WebhookStoreInMemory } from "../webhooks/WebhookStoreInMemory.ts";

/** The events of an account in the order of their appends, and the last position, also after events were forgotten. */
interface AccountEvents {
  readonly entries: ReadonlyArray<LedgerEntry>;
  readonly last: number;
}

const NOTHING: AccountEvents = { entries: [], last: 0 };

/** Events, kept in memory. A transaction that appends holds its account's row, so positions become visible in order. */
export const layer = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { cell, wake, listen } = yield* Memory;
    const { rows: webhooks } = yield* WebhookStoreInMemory;
    const accounts = yield* cell("events", HashMap.empty<AccountId, AccountEvents>());
    const wakeUpOf = (account: AccountId) => `events of ${account}`;
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
          Effect.forEach(new Set(events.map(({ account }) => account)), (account) => wake(wakeUpOf(account))),
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
          .pipe(Effect.flatMap((old) => Effect.as(withoutEvents(old), old.length === limit))),
      after: (account, position, limit) =>
        Effect.map(of(account), ({ entries }) => entries.filter((entry) => entry.position > position).slice(0, limit)),
      positionOf: (account, id) =>
        Effect.map(of(account), ({ entries }) =>
          Option.map(Option.fromUndefinedOr(entries.find(({ event }) => event.id === id)), ({ position }) => position),
        ),
      newest: (account) => Effect.map(of(account), ({ entries }) => Option.fromUndefinedOr(entries.at(-1))),
      lastPosition: (account) => Effect.map(of(account), ({ last }) => last),
      appended: (account) => listen(wakeUpOf(account)),
      erase: (account) =>
        Effect.flatMap(of(account), ({ entries }) => withoutEvents(entries.map(({ event }) => event))).pipe(
          Effect.andThen(accounts.modify((all) => [false, HashMap.remove(all, account)])),
        ),
    });
  }),
);
