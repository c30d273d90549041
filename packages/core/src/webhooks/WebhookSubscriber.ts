import { Clock, Context, Effect, Layer } from "effect";
import { type EventSubscriber } from "../events/neighbours.ts";
import { EventSubscribers, type LedgerEntry, type MailEvent } from "../events/index.ts";
import { AccountDirectory } from "../accounts/index.ts";
import { reachEntriesOf } from "../accounts/neighbours.ts";
import { Entropy } from "../shared/index.ts";
import { deliveryId } from "./delivery-id.ts";
import { newDelivery } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/**
 * Queues a delivery of each event for every endpoint of its account, or of an application that reaches the account,
 * that subscribes to its type; held if the endpoint is disabled.
 */
export class WebhookSubscriber extends Context.Service<WebhookSubscriber, EventSubscriber>()(
  "@postern/core/webhooks/WebhookSubscriber",
) {
  static readonly layer = Layer.effect(
    WebhookSubscriber,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const directory = yield* AccountDirectory;
      const queue = yield* DeliveryQueue;
      const entropy = yield* Entropy;

      const subscribed = Effect.fnUntraced(function* ({ account, type }: MailEvent) {
        return yield* endpoints.subscribed(account, reachEntriesOf(yield* directory.find(account)), type);
      });

      const happened = Effect.fnUntraced(function* (entries: ReadonlyArray<LedgerEntry>) {
        const now = yield* Clock.currentTimeMillis;
        const known = new Map<string, ReadonlyArray<Endpoint>>();
        const deliveries = [];
        for (const { event, position } of entries) {
          const { id: eventId, account, type, occurredAt } = event;
          const kind = `${event.type} ${event.account}`;
          const chosenBy = known.get(kind) ?? (yield* subscribed(event));
          known.set(kind, chosenBy);
          for (const endpoint of chosenBy) {
            const id = deliveryId(now, position, yield* entropy.id(80));
            const delivered = { eventId, account, type, occurredAt, position };
            deliveries.push(newDelivery(id, delivered, endpoint, "event", now));
          }
        }
        if (deliveries.length > 0) yield* queue.insert(deliveries);
      });

      return WebhookSubscriber.of({ name: "webhooks", happened });
    }),
  );

  /** The list of event subscribers with webhooks as the only one. */
  static readonly asOnly = Layer.effect(
    EventSubscribers,
    Effect.map(WebhookSubscriber, (webhooks) => [webhooks]),
  ).pipe(Layer.provide(WebhookSubscriber.layer));
}
