import { Context, Effect, Layer } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";
import type { MailEvent } from "./MailEvent.ts";
import { EventLedger, type LedgerEntry } from "./ports/EventLedger.ts";
import { EventSubscribers } from "./ports/EventSubscribers.ts";

/** Publishes events made by `writeEvent`; the only writer of the ledger. */
export class EventPublisher extends Context.Service<
  EventPublisher,
  {
    /**
     * Appends events to the ledger and calls the subscribers, inside the transaction of the change that the events
     * report. Workers are woken after the commit. Events already in the ledger are skipped, because a commit whose
     * outcome is unknown may be retried. Returns the others with their positions.
     */
    readonly publish: (events: ReadonlyArray<MailEvent>) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
  }
>()("@postern/core/events/EventPublisher") {
  static readonly layer = Layer.effect(
    EventPublisher,
    Effect.gen(function* () {
      const ledger = yield* EventLedger;
      const subscribers = yield* EventSubscribers;

      const publish = Effect.fnUntraced(function* (events: ReadonlyArray<MailEvent>) {
        if (events.length === 0) return [];
        const appended = yield* ledger.append(events);
        for (const { happened } of subscribers) yield* happened(appended);
        return appended;
      });

      return EventPublisher.of({ publish });
    }),
  );
}
