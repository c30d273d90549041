import { Clock, Context, Effect, Layer } from "effect";
import { type EventType, isEventType } from "../events/event-types.ts";
import type { MailEvent } from "../events/MailEvent.ts";
import { Entropy } from "../shared/ports/Entropy.ts";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import { newDelivery } from "./delivery-state.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** Makes one delivery for each endpoint that chose an event, held where the endpoint is disabled (decisions 7). */
export class WebhookPublisher extends Context.Service<
  WebhookPublisher,
  {
    /** Inside the transaction that appends the event to the ledger. */
    readonly publish: (event: MailEvent) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/WebhookPublisher") {
  static readonly layer = Layer.effect(
    WebhookPublisher,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const queue = yield* DeliveryQueue;
      const entropy = yield* Entropy;

      const publish = Effect.fn("WebhookPublisher.publish")(function* (event: MailEvent) {
        if (!isEventType(event.type)) return yield* Effect.die(new Error(`no kind of event: ${event.type}`));
        const subscribed = yield* endpoints.subscribed(event.account, event.type satisfies EventType);
        const now = yield* Clock.currentTimeMillis;
        const deliveries = yield* Effect.forEach(subscribed, (endpoint) =>
          Effect.map(deliveryId(entropy, now), (id) => newDelivery(id, event, endpoint, "event", now)),
        );
        if (deliveries.length > 0) yield* queue.insert(event, deliveries);
      });

      return WebhookPublisher.of({ publish });
    }),
  );
}

/** Ids of later deliveries are greater, to the millisecond. */
const deliveryId = (entropy: Entropy["Service"], now: number): Effect.Effect<string> =>
  Effect.map(entropy.id(80), (random) => `del_${now.toString(36).padStart(9, "0")}${random}`);
