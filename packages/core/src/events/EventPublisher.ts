import { Clock, Context, Effect, Layer } from "effect";
import { type AccountId, Entropy, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import type { EventData, EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";
import { EventLedger, type LedgerEntry } from "./ports/EventLedger.ts";
import { EventSubscribers } from "./ports/EventSubscribers.ts";
import { eventAccount, eventId, writeEvent } from "./write-event.ts";

/** Publishes events; the only writer of the ledger. */
export class EventPublisher extends Context.Service<
  EventPublisher,
  {
    /**
     * Appends events made by `writeEvent` to the ledger and calls the subscribers, in the transaction of the change
     * that the events report. Workers are woken after the commit. Skips events that are already in the ledger, because
     * a caller may retry a commit whose outcome is unknown. Returns the new events with their positions.
     */
    readonly publish: (events: ReadonlyArray<MailEvent>) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
    /** Writes an event of an account that happens now, and publishes it as `publish` does. */
    readonly publishNow: <Type extends EventType>(
      account: AccountId,
      type: Type,
      data: EventData<Type>,
    ) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/events/EventPublisher") {
  static readonly layer = Layer.effect(
    EventPublisher,
    Effect.gen(function* () {
      const ledger = yield* EventLedger;
      const subscribers = yield* EventSubscribers;
      const entropy = yield* Entropy;
      const ids = yield* OpaqueIds;

      const publish = Effect.fnUntraced(function* (events: ReadonlyArray<MailEvent>) {
        if (events.length === 0) return [];
        const appended = yield* ledger.append(events);
        for (const { onEvents } of subscribers) yield* onEvents(appended);
        return appended;
      });

      return EventPublisher.of({
        publish,
        publishNow: Effect.fnUntraced(function* (account, type, data) {
          const now = yield* Clock.currentTimeMillis;
          const id = eventId(now, yield* entropy.id(128));
          yield* publish([writeEvent(id, eventAccount(ids, account), type, now, data)]);
        }),
      });
    }),
  );
}
