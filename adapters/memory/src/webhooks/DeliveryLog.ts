import { EventLedger } from "@postern/core/events";
import { type Delivery, DeliveryLog, type EventPlace, isHeld } from "@postern/core/webhooks";
import { Effect, HashMap, Layer, Option } from "effect";
import { attemptsOf, deliveriesOf, putDeliveries } from "./DeliveryQueue.ts";
import { WebhookStoreInMemory } from "./WebhookStoreInMemory.ts";

/** The log of deliveries, kept in memory. */
export const layer = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const { rows, wake } = yield* WebhookStoreInMemory;
    const ledger = yield* EventLedger;

    const logged = Effect.fnUntraced(function* (deliveries: ReadonlyArray<Delivery>) {
      const all = yield* rows.get;
      const kept = new Set((yield* ledger.find(deliveries.map(({ eventId }) => eventId))).map(({ id }) => id));
      return deliveries
        .filter(({ eventId }) => kept.has(eventId))
        .map((delivery) => ({ delivery, attempts: attemptsOf(all, delivery.id) }));
    });

    return DeliveryLog.of({
      page: Effect.fnUntraced(function* (endpoint, { state, type, before }, limit) {
        const stateOf = (delivery: Delivery): Delivery["state"] | "held" =>
          isHeld(delivery, endpoint) ? "held" : delivery.state;
        const all = deliveriesOf(yield* rows.get, endpoint.id).filter(
          (delivery) =>
            (state === undefined || stateOf(delivery) === state) && (before === undefined || delivery.id < before),
        );
        const newest = yield* logged(all.toSorted((a, b) => (a.id < b.id ? 1 : -1)));
        return newest.filter(({ delivery }) => type === undefined || delivery.type === type).slice(0, limit);
      }),
      find: Effect.fnUntraced(function* (endpointId, id) {
        const found = deliveriesOf(yield* rows.get, endpointId).filter((delivery) => delivery.id === id);
        return Option.fromUndefinedOr((yield* logged(found))[0]);
      }),
      ofEvents: Effect.fnUntraced(function* (endpointId, eventIds) {
        const kept = new Set((yield* ledger.find(eventIds)).map(({ id }) => id));
        return deliveriesOf(yield* rows.get, endpointId)
          .filter(({ eventId }) => kept.has(eventId))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      }),
      listReplayable: (endpointId, { since, until, after }, limit) =>
        Effect.map(rows.get, (all) => {
          const places = deliveriesOf(all, endpointId)
            .filter(({ state }) => state === "pending" || state === "exhausted")
            .filter(({ occurredAt }) => occurredAt >= since && occurredAt < until)
            .map(({ eventId, occurredAt, position }) => ({ eventId, occurredAt, position }))
            .filter((place) => after === null || byPlace(after, place) < 0)
            .toSorted(byPlace);
          return places.filter(({ eventId }, n) => eventId !== places[n - 1]?.eventId).slice(0, limit);
        }),
      revise: (deliveries) =>
        Effect.andThen(
          rows.modify((all) => {
            const waiting = deliveries.filter(({ id }) =>
              Option.exists(HashMap.get(all.deliveries, id), ({ state }) => state === "pending"),
            );
            return [undefined, { ...all, deliveries: putDeliveries(all.deliveries, waiting) }];
          }),
          wake,
        ),
    });
  }),
);

const byPlace = (a: EventPlace, b: EventPlace): number =>
  a.occurredAt - b.occurredAt ||
  a.position - b.position ||
  (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0);
