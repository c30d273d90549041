import { EventLedger } from "@postern/core/events";
import {
  type Attempt,
  findClaimable,
  claimDelivery,
  type Delivery,
  DeliveryQueue,
  type Endpoint,
  holdsLease,
  isCurrent,
  nextWakeUp,
  outcomesOf,
  recordOutcomes,
} from "@postern/core/webhooks";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import { type WebhookRows, WebhookStoreInMemory } from "./WebhookStoreInMemory.ts";

/** Deliveries, kept in memory. */
export const layer = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const { rows, wake, changed } = yield* WebhookStoreInMemory;
    const { lockNames } = yield* Memory;
    const ledger = yield* EventLedger;

    return DeliveryQueue.of({
      insert: Effect.fnUntraced(function* (deliveries) {
        const eventIds = new Set(deliveries.map(({ eventId }) => eventId));
        const events = yield* ledger.find([...eventIds]);
        if (events.length < eventIds.size) return yield* Effect.die(new Error("an event is not in the ledger"));
        yield* lockNames(deliveries.map(identityOf));
        yield* rows.modify((all) => {
          const known = new Set([...HashMap.values(all.deliveries)].map(identityOf));
          const added = deliveries.filter((delivery) => !known.has(identityOf(delivery)));
          return [undefined, { ...all, deliveries: putDeliveries(all.deliveries, added) }];
        });
        yield* wake;
      }),
      claim: Effect.fnUntraced(function* (now, lease, limit) {
        const chosen = yield* rows.modify((all, isLocked) => {
          const free = inTurnOrder(all).filter(({ id }) => !isLocked(id));
          const ranked = free.flatMap((endpoint) =>
            findClaimable(unfinishedOf(all, endpoint.id), endpoint, now).map((delivery, rank) => ({
              endpoint,
              delivery,
              rank,
            })),
          );
          // The sort is stable: deliveries of the same rank stay in the order of their endpoints.
          const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, Math.max(0, limit));
          const claimed = chosen.map(({ delivery }) => claimDelivery(delivery, lease, now));
          const after: WebhookRows = {
            ...all,
            deliveries: putDeliveries(all.deliveries, claimed),
            lastClaimedAt: chosen.reduce(
              (times, { endpoint }) => HashMap.set(times, endpoint.id, now),
              all.lastClaimedAt,
            ),
          };
          const answer = chosen.map(({ endpoint }, n) => {
            const delivery = claimed[n]!;
            return { delivery, endpoint, attempt: attemptsOf(all, delivery.id).length + 1 };
          });
          return [answer, after];
        });
        const events = yield* ledger.find(chosen.map(({ delivery }) => delivery.eventId));
        return chosen.flatMap((one) => {
          const event = events.find(({ id }) => id === one.delivery.eventId);
          return event === undefined ? [] : [{ ...one, event }];
        });
      }),
      renew: (ids, { token, until: leaseUntil }) =>
        rows.modify((all) => {
          const held = ids.flatMap((id) => heldBy(all, id, token) ?? []);
          const renewed = held.map((one) => ({ ...one, leaseUntil }));
          return [new Set(held.map(({ id }) => id)), { ...all, deliveries: putDeliveries(all.deliveries, renewed) }];
        }),
      release: (ids, token) =>
        Effect.andThen(
          rows.modify((all) => {
            const held = ids.flatMap((id) => heldBy(all, id, token) ?? []);
            const back = held.map((one): Delivery => ({
              ...one,
              state: "pending",
              leaseUntil: null,
              leaseToken: null,
            }));
            return [undefined, { ...all, deliveries: putDeliveries(all.deliveries, back) }];
          }),
          wake,
        ),
      settle: Effect.fnUntraced(function* (settled) {
        const ids = new Set(settled.map(({ delivery }) => delivery.id));
        if (ids.size < settled.length) return yield* Effect.die(new Error("a delivery is settled twice"));
        const ours = yield* rows.modify((all) => {
          const kept = settled.filter(({ delivery, token }) => heldBy(all, delivery.id, token) !== undefined);
          const attempts = kept.reduce(
            (some, { delivery, attempt }) => HashMap.set(some, delivery.id, [...attemptsOf(all, delivery.id), attempt]),
            all.attempts,
          );
          const deliveries = kept.map(({ delivery }) => delivery);
          const endpoints = outcomesOf(kept).reduce(
            (some, outcomes) =>
              HashMap.modify(some, outcomes.endpointId, (endpoint) => recordOutcomes(endpoint, outcomes)),
            all.endpoints,
          );
          const after = { ...all, attempts, endpoints, deliveries: putDeliveries(all.deliveries, deliveries) };
          return [new Set(deliveries.map(({ id }) => id)), after];
        });
        yield* wake;
        return ours;
      }),
      hasExpired: (now) => Effect.map(rows.get, (all) => expiredOf(all, now).length > 0),
      reap: (now, decide) =>
        rows.modify((all, isLocked) => {
          const lost = expiredOf(all, now).filter(({ id }) => !isLocked(id));
          const decided = lost.map(decide);
          return [decided, { ...all, deliveries: putDeliveries(all.deliveries, decided) }];
        }),
      nextDue: Effect.map(rows.get, (all) => {
        let next = Infinity;
        for (const endpoint of HashMap.values(all.endpoints))
          next = Math.min(next, nextWakeUp(unfinishedOf(all, endpoint.id), endpoint) ?? Infinity);
        return next === Infinity ? Option.none() : Option.some(next);
      }),
      changed,
      countBacklog: (now) =>
        Effect.map(rows.get, (all) => {
          const due = inTurnOrder(all).flatMap((endpoint) =>
            unfinishedOf(all, endpoint.id).filter((delivery) => isCurrent(delivery, endpoint) && delivery.dueAt <= now),
          );
          return due.length;
        }),
    });
  }),
);

/** The unfinished deliveries by rows, because idle workers repeatedly ask about the same rows. */
const unfinished = new WeakMap<WebhookRows["deliveries"], ReadonlyMap<string, ReadonlyArray<Delivery>>>();

/** Returns the deliveries of an endpoint that are pending or in flight. */
const unfinishedOf = ({ deliveries }: WebhookRows, endpointId: string): ReadonlyArray<Delivery> => {
  let byEndpoint = unfinished.get(deliveries);
  if (byEndpoint === undefined) {
    const some = [...HashMap.values(deliveries)].filter(({ state }) => state === "pending" || state === "in_flight");
    byEndpoint = Map.groupBy(some, (delivery) => delivery.endpointId);
    unfinished.set(deliveries, byEndpoint);
  }
  return byEndpoint.get(endpointId) ?? [];
};

const identityOf = ({ eventId, endpointId, trigger }: Delivery): string =>
  JSON.stringify([eventId, endpointId, trigger]);

/** Returns the rows with these deliveries replaced or added. */
export const putDeliveries = (
  deliveries: WebhookRows["deliveries"],
  changed: ReadonlyArray<Delivery>,
): WebhookRows["deliveries"] => changed.reduce((all, delivery) => HashMap.set(all, delivery.id, delivery), deliveries);

/** Returns the deliveries of an endpoint. */
export const deliveriesOf = ({ deliveries }: WebhookRows, endpointId: string): ReadonlyArray<Delivery> =>
  [...HashMap.values(deliveries)].filter((delivery) => delivery.endpointId === endpointId);

/** Returns the attempts of a delivery, oldest first. */
export const attemptsOf = ({ attempts }: WebhookRows, id: string): ReadonlyArray<Attempt> =>
  Option.getOrElse(HashMap.get(attempts, id), () => []);

const expiredOf = ({ deliveries }: WebhookRows, now: number): ReadonlyArray<Delivery> =>
  [...HashMap.values(deliveries)].filter(
    ({ state, leaseUntil }) => state === "in_flight" && leaseUntil !== null && leaseUntil <= now,
  );

const heldBy = ({ deliveries }: WebhookRows, id: string, token: string): Delivery | undefined => {
  const delivery = Option.getOrUndefined(HashMap.get(deliveries, id));
  return delivery !== undefined && holdsLease(delivery, token) ? delivery : undefined;
};

/** Returns the endpoints, least recently claimed first. */
const inTurnOrder = ({ endpoints, lastClaimedAt }: WebhookRows): ReadonlyArray<Endpoint> => {
  const at = ({ id }: Endpoint) => Option.getOrElse(HashMap.get(lastClaimedAt, id), () => -Infinity);
  return [...HashMap.values(endpoints)].toSorted((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1));
};
