import { EventLedger, type MailEvent } from "@postern/core";
import { Effect, Layer } from "effect";
import { Memory } from "./Memory.ts";

/** Events that last as long as the process. */
export const EventLedgerInMemory = Layer.effect(
  EventLedger,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const events = yield* cell<ReadonlyArray<MailEvent>>([]);
    const byTime = (one: MailEvent, other: MailEvent) =>
      one.occurredAt === other.occurredAt ? (one.id < other.id ? -1 : 1) : one.occurredAt - other.occurredAt;

    return EventLedger.of({
      append: (more) => events.modify((all) => [undefined, [...all, ...more]]),
      find: (ids) => Effect.map(events.get, (all) => all.filter(({ id }) => ids.includes(id))),
      list: (account) =>
        Effect.map(events.get, (all) => all.filter((event) => event.account === account).toSorted(byTime)),
      forget: (before, limit) =>
        events.modify((all) => {
          const old = new Set(all.filter(({ occurredAt }) => occurredAt < before).slice(0, limit));
          return [old.size, all.filter((event) => !old.has(event))];
        }),
      erase: (account) => events.modify((all) => [undefined, all.filter((event) => event.account !== account)]),
    });
  }),
);
