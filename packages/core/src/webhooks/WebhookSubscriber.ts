import { Clock, Effect, Layer, Option } from "effect";
import { EventSubscribers, type LedgerEntry, type MailEvent } from "../events/index.ts";
import { isTold } from "../events/neighbours.ts";
import { type Account, AccountDirectory } from "../accounts/index.ts";
import { entriesReaching, type KeyReach } from "../auth/index.ts";
import { Entropy } from "../shared/index.ts";
import { deliveryId } from "./delivery-id.ts";
import { newDelivery } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/**
 * Makes webhooks the only subscriber of events. Queues a delivery of each event for every endpoint that subscribes to
 * the event's type and belongs to the account or to an application that reaches the account. If the endpoint is
 * disabled, the delivery is held.
 */
export const WebhookSubscriber = Layer.effect(
  EventSubscribers,
  Effect.gen(function* () {
    const endpoints = yield* Endpoints;
    const directory = yield* AccountDirectory;
    const queue = yield* DeliveryQueue;
    const entropy = yield* Entropy;

    const findSubscribed = Effect.fnUntraced(function* ({ account, type }: MailEvent) {
      return yield* endpoints.findSubscribed(account, reachEntriesOf(yield* directory.find(account)), type);
    });

    const onEvents = Effect.fnUntraced(function* (entries: ReadonlyArray<LedgerEntry>) {
      const now = yield* Clock.currentTimeMillis;
      const known = new Map<string, ReadonlyArray<Endpoint>>();
      const deliveries = [];
      for (const { event, position } of entries) {
        const { id: eventId, account, type, occurredAt } = event;
        const kind = `${event.type} ${event.account}`;
        const chosenBy = known.get(kind) ?? (yield* findSubscribed(event));
        known.set(kind, chosenBy);
        for (const endpoint of chosenBy.filter((one) => isTold(one, event))) {
          const id = deliveryId(now, position, yield* entropy.id(80));
          const delivered = { eventId, account, type, occurredAt, position };
          deliveries.push(newDelivery(id, delivered, endpoint, "event", now));
        }
      }
      if (deliveries.length > 0) yield* queue.insert(deliveries);
    });

    return [{ name: "webhooks", onEvents }];
  }),
);

/** Returns the reach entries that match a managed account; none for any other account. */
export const reachEntriesOf = (account: Option.Option<Account>): KeyReach =>
  Option.isSome(account) && account.value.managed
    ? entriesReaching({ address: account.value.id, tags: account.value.tags })
    : [];
