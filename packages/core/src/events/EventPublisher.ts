import { Context, Effect, Layer } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";
import type { MailEvent } from "./MailEvent.ts";
import { EventLedger } from "./ports/EventLedger.ts";
import { EventSubscribers } from "./ports/EventSubscribers.ts";

/** The only writer of events, each of which `writeEvent` made. */
export class EventPublisher extends Context.Service<
  EventPublisher,
  {
    /**
     * Appends events to the ledger and tells the subscribers, inside the transaction that changed what the events tell
     * of. Workers are woken once it has committed. Events that the ledger has already are left as they are: a commit
     * whose answer was lost may be run again.
     */
    readonly publish: (events: ReadonlyArray<MailEvent>) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/events/EventPublisher") {
  static readonly layer = Layer.effect(
    EventPublisher,
    Effect.gen(function* () {
      const ledger = yield* EventLedger;
      const subscribers = yield* EventSubscribers;

      const publish = Effect.fnUntraced(function* (events: ReadonlyArray<MailEvent>) {
        if (events.length === 0) return;
        const appended = yield* ledger.append(events);
        for (const { happened } of subscribers) yield* happened(appended);
      });

      return EventPublisher.of({ publish });
    }),
  );
}
