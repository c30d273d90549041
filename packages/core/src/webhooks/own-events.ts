import { Clock, Effect } from "effect";
import type { AccountDirectory } from "../accounts/index.ts";
import { type EventAccount, eventAccount, eventBody, type EventData } from "../events/neighbours.ts";
import { eventId, EventPublisher, type EventType, writeEvent } from "../events/index.ts";
import { AccountId, Entropy, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { deliveryId } from "./delivery-id.ts";
import { newDelivery } from "./delivery-state.ts";
import type { DisabledReason, Endpoint } from "./Endpoint.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { reachEntriesOf } from "./WebhookSubscriber.ts";

/** The ports and services that publish the events of this domain. */
export const ownEvents = Effect.all({
  endpoints: Endpoints,
  queue: DeliveryQueue,
  publisher: EventPublisher,
  ids: OpaqueIds,
  entropy: Entropy,
});
export type OwnEvents = Effect.Success<typeof ownEvents>;

/**
 * Publishes `webhook.disabled` to the account of an endpoint, or to the other endpoints of its application (spec 7.2,
 * 10.3), inside the transaction that disables the endpoint; `at` in epoch milliseconds.
 */
export const publishDisabled = Effect.fnUntraced(function* (
  events: OwnEvents,
  { id: endpointId, owner }: Pick<Endpoint, "id" | "owner">,
  reason: DisabledReason,
  at: number,
): Effect.fn.Return<void, StoreUnavailable> {
  const { endpoints, publisher, ids, entropy } = events;
  const data = { endpointId, reason };
  if (owner._tag === "Account") {
    const id = eventId(at, yield* entropy.id(128));
    yield* publisher.publish([writeEvent(id, eventAccount(ids, owner.account), "webhook.disabled", at, data)]);
    return;
  }
  const all = yield* endpoints.ofApplication(owner.application, "webhook.disabled");
  const others = all.filter(({ id }) => id !== endpointId);
  yield* publishTo(events, owner.application, others, { account: null, type: "webhook.disabled", data });
});

/**
 * Publishes `account.removed` to the endpoints of applications that reach the account (spec 10.3), in the transaction
 * that removes the account, before its data is erased.
 */
export const publishRemoval = Effect.fn("publishRemoval")(function* (
  events: OwnEvents,
  directory: AccountDirectory["Service"],
  account: AccountId,
): Effect.fn.Return<void, StoreUnavailable> {
  const entries = reachEntriesOf(yield* directory.find(account));
  const subscribed = yield* events.endpoints.findSubscribed(account, entries, "account.removed");
  const byApplication = Map.groupBy(subscribed, ({ owner }) =>
    owner._tag === "Application" ? owner.application : undefined,
  );
  const event = {
    account: eventAccount(events.ids, account),
    type: "account.removed",
    data: { email: account },
  } as const;
  for (const [application, all] of byApplication) {
    if (application !== undefined) yield* publishTo(events, application, all, event);
  }
});

/**
 * Publishes an event with a delivery to each of these endpoints of an application. The ledger stores the event under
 * the application, so that an event about an account outlives the account.
 */
const publishTo = Effect.fnUntraced(function* <Type extends EventType>(
  { publisher, queue, entropy }: OwnEvents,
  application: string,
  endpoints: ReadonlyArray<Endpoint>,
  {
    account,
    type,
    data,
  }: { readonly account: EventAccount | null; readonly type: Type; readonly data: EventData<Type> },
) {
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
});

/** Returns the key under which the ledger stores the events of an application. No address has this form. */
export const ledgerOf = (application: string): AccountId => AccountId(`application ${application}`);
