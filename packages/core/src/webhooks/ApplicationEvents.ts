import { Clock, Context, Effect, Layer } from "effect";
import { type EventAccount, eventBody, type EventData } from "../events/neighbours.ts";
import { eventId, EventPublisher, type EventType } from "../events/index.ts";
import { AccountId, Entropy, type StoreUnavailable } from "../shared/index.ts";
import { deliveryId } from "./delivery-id.ts";
import { newDelivery } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";

/**
 * Publishes events to endpoints of applications. The ledger keeps them under the application, so that they and their
 * deliveries outlive the account that they may be about (spec 10.3).
 */
export class ApplicationEvents extends Context.Service<
  ApplicationEvents,
  {
    /** Publishes an event inside the transaction of the change, with a delivery to each of the endpoints. */
    readonly publish: <Type extends EventType>(
      application: string,
      endpoints: ReadonlyArray<Endpoint>,
      event: { readonly account: EventAccount | null; readonly type: Type; readonly data: EventData<Type> },
    ) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ApplicationEvents") {
  static readonly layer = Layer.effect(
    ApplicationEvents,
    Effect.gen(function* () {
      const publisher = yield* EventPublisher;
      const queue = yield* DeliveryQueue;
      const entropy = yield* Entropy;

      return ApplicationEvents.of({
        publish: Effect.fnUntraced(function* (application, endpoints, { account, type, data }) {
          if (endpoints.length === 0) return;
          const now = yield* Clock.currentTimeMillis;
          const id = eventId(now, yield* entropy.id(128));
          const body = eventBody(id, account, type, now, data);
          const ledger = ledgerOf(application);
          const published = yield* publisher.publish([{ id, account: ledger, type, occurredAt: now, body }]);
          for (const { position } of published) {
            const event = { eventId: id, account: ledger, type, occurredAt: now, position };
            const deliveries = yield* Effect.forEach(endpoints, (endpoint) =>
              Effect.map(entropy.id(80), (random) =>
                newDelivery(deliveryId(now, position, random), event, endpoint, "event", now),
              ),
            );
            yield* queue.insert(deliveries);
          }
        }),
      });
    }),
  );
}

/** The key under which the ledger keeps the events of an application; no address has this form. */
const ledgerOf = (application: string): AccountId => AccountId(`application ${application}`);
