import { Clock, Context, Effect, Layer } from "effect";
import { AccountDirectory, reachEntriesOf } from "../accounts/index.ts";
import { eventAccount, eventId, EventPublisher, writeEvent } from "../events/index.ts";
import { AccountId, Entropy, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { deliveryId } from "./delivery-id.ts";
import { newDelivery } from "./delivery-state.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/**
 * Reports removed accounts to the endpoints of applications. The ledger keeps these events under the application, so
 * that they and their deliveries outlive the account (spec 10.3).
 */
export class RemovalEvents extends Context.Service<
  RemovalEvents,
  {
    /** Publishes `account.removed` in the transaction that removes the account, before anything of it is erased. */
    readonly publish: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/RemovalEvents") {
  static readonly layer = Layer.effect(
    RemovalEvents,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;
      const endpoints = yield* Endpoints;
      const publisher = yield* EventPublisher;
      const queue = yield* DeliveryQueue;
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;

      return RemovalEvents.of({
        publish: Effect.fn("RemovalEvents.publish")(function* (account) {
          const entries = reachEntriesOf(yield* directory.find(account));
          const subscribed = yield* endpoints.subscribed(account, entries, "account.removed");
          const byApplication = Map.groupBy(subscribed, ({ owner }) =>
            owner._tag === "Application" ? owner.application : undefined,
          );
          const now = yield* Clock.currentTimeMillis;
          for (const [application, all] of byApplication) {
            if (application === undefined) continue;
            const written = writeEvent(
              eventId(now, yield* entropy.id(128)),
              eventAccount(ids, account),
              "account.removed",
              now,
              { email: account },
            );
            const published = yield* publisher.publish([{ ...written, account: ledgerOf(application) }]);
            for (const { event, position } of published) {
              const delivered = { eventId: event.id, type: event.type, occurredAt: now, position };
              const deliveries = yield* Effect.forEach(all, (endpoint) =>
                Effect.map(entropy.id(80), (random) =>
                  newDelivery(deliveryId(now, position, random), delivered, endpoint, "event", now),
                ),
              );
              yield* queue.insert(deliveries);
            }
          }
        }),
      });
    }),
  );
}

/** The key under which the ledger keeps the events of an application; no address has this form. */
const ledgerOf = (application: string): AccountId => AccountId(`application ${application}`);
