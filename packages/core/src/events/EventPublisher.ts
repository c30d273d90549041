import { Clock, Context, Effect, Layer } from "effect";
import { Entropy, type StoreUnavailable } from "../shared/index.ts";
import { deliveryId, DeliveryQueue, type Endpoint, Endpoints, newDelivery } from "../webhooks/index.ts";
import type { MailEvent } from "./MailEvent.ts";
import { EventLedger } from "./ports/EventLedger.ts";

/** The one way by which events come into the world (decisions 7): whoever raises one writes it with `writeEvent`. */
export class EventPublisher extends Context.Service<
  EventPublisher,
  {
    /**
     * Inside the transaction of the state the events tell of: appends them to the ledger and makes one delivery for
     * each endpoint that chose their kind, held where it is disabled. Workers are woken once that has committed. Events
     * that the ledger has already are left as they are: a commit whose answer was lost may be run again.
     */
    readonly publish: (events: ReadonlyArray<MailEvent>) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/events/EventPublisher") {
  static readonly layer = Layer.effect(
    EventPublisher,
    Effect.gen(function* () {
      const ledger = yield* EventLedger;
      const endpoints = yield* Endpoints;
      const queue = yield* DeliveryQueue;
      const entropy = yield* Entropy;

      const publish = Effect.fnUntraced(function* (events: ReadonlyArray<MailEvent>) {
        if (events.length === 0) return;
        const entries = yield* ledger.append(events);
        const now = yield* Clock.currentTimeMillis;
        const subscribed = new Map<string, ReadonlyArray<Endpoint>>();
        const deliveries = [];
        for (const { event, position } of entries) {
          const { id: eventId, type, occurredAt } = event;
          const kind = `${event.type} ${event.account}`;
          const chosenBy = subscribed.get(kind) ?? (yield* endpoints.subscribed(event.account, event.type));
          subscribed.set(kind, chosenBy);
          for (const endpoint of chosenBy) {
            const id = deliveryId(now, position, yield* entropy.id(80));
            const delivered = { eventId, type, occurredAt, position };
            deliveries.push(newDelivery(id, delivered, endpoint, "event", now));
          }
        }
        if (deliveries.length > 0) yield* queue.insert(deliveries);
      });

      return EventPublisher.of({ publish });
    }),
  );
}
