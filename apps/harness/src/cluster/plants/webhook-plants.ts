import { EventLedger } from "@postern/core/events";
import { type ClaimedDelivery, type Delivery, DeliveryQueue, type Endpoint, Endpoints } from "@postern/core/webhooks";
import { Effect, Exit, Option } from "effect";
import { isNth, nodePlant, type Plant, plant, type PlantMemory } from "./Plant.ts";

const later = (delivery: Delivery, change: Partial<Delivery>): Delivery =>
  delivery.state === "pending" ? { ...delivery, ...change } : delivery;

/** Returns an endpoint with the settings that its owner requested, while the store has other settings. */
const withRequestedSettings = (memory: PlantMemory, endpoint: Endpoint): Endpoint =>
  (memory.get(endpoint.id) as ((stored: Endpoint) => Endpoint) | undefined)?.(endpoint) ?? endpoint;

const claimsWithRequestedSettings = (memory: PlantMemory) => (all: ReadonlyArray<ClaimedDelivery>) =>
  all.map((one) => ({ ...one, endpoint: withRequestedSettings(memory, one.endpoint) }));

const doubleCaps = plant("", "", Endpoints, (real, memory) => ({
  insert: (endpoint, secrets) => {
    memory.set(endpoint.id, (stored: Endpoint) => ({ ...stored, maxInFlight: endpoint.maxInFlight }));
    return real.insert({ ...endpoint, maxInFlight: 2 * endpoint.maxInFlight }, secrets);
  },
}));

const hideDoubledCaps = plant("", "", DeliveryQueue, (real, memory) => ({
  claim: (now, lease, limit) => Effect.map(real.claim(now, lease, limit), claimsWithRequestedSettings(memory)),
}));

/** Bugs of events and deliveries. */
export const webhookPlants: ReadonlyArray<Plant> = [
  plant("delivery-settled-without-token", "the outcome of a lost claim is saved", DeliveryQueue, (real, memory) => ({
    claim: (now, lease, limit) =>
      Effect.tap(real.claim(now, lease, limit), (all) =>
        Effect.sync(() => all.forEach(({ delivery }) => memory.set(delivery.id, lease.token))),
      ),
    settle: (all) =>
      real.settle(
        all.map((one) => ({ ...one, token: (memory.get(one.delivery.id) as string | undefined) ?? one.token })),
      ),
  })),
  plant(
    "delivery-reclaimed-early",
    "claims are reclaimed six seconds before their lease ends",
    DeliveryQueue,
    (real) => ({
      reap: (now, decide) => real.reap(now + 6_000, decide),
    }),
  ),
  plant("delivery-lease-not-renewed", "leases of deliveries are not renewed", DeliveryQueue, () => ({
    renew: (ids) => Effect.succeed(new Set(ids)),
  })),
  plant("delivery-failure-counted-twice", "a failed attempt counts as two", DeliveryQueue, (real) => ({
    settle: (all) =>
      real.settle(all.map((one) => ({ ...one, delivery: later(one.delivery, { step: one.delivery.step + 1 }) }))),
  })),
  plant("delivery-retried-early", "a retry is due a millisecond early", DeliveryQueue, (real) => ({
    settle: (all) =>
      real.settle(all.map((one) => ({ ...one, delivery: later(one.delivery, { dueAt: one.delivery.dueAt - 1 }) }))),
  })),
  plant(
    "delivery-sent-before-due",
    "deliveries are claimed five seconds before they are due",
    DeliveryQueue,
    (real) => ({
      claim: (now, lease, limit) => real.claim(now + 5_000, lease, limit),
    }),
  ),
  plant("delivery-dropped", "every ninth batch of deliveries is not stored", DeliveryQueue, (real, memory) => ({
    insert: (all) => (isNth(memory, 9) ? Effect.void : real.insert(all)),
  })),
  plant("delivery-success-invented", "a delivery that failed is saved as succeeded", DeliveryQueue, (real, memory) => ({
    settle: (all) =>
      real.settle(
        all.map((one) =>
          isNth(memory, 7) && one.delivery.state === "pending"
            ? { ...one, delivery: { ...one.delivery, state: "succeeded" as const } }
            : one,
        ),
      ),
  })),
  plant("order-ignored", "an ordered endpoint gets its events in any order", Endpoints, (real, memory) => ({
    insert: (endpoint, secrets) => {
      memory.set(endpoint.id, (stored: Endpoint) => ({ ...stored, ordered: endpoint.ordered }));
      return real.insert({ ...endpoint, ordered: false }, secrets);
    },
    find: (owner, id) =>
      Effect.map(
        real.find(owner, id),
        Option.map((one) => withRequestedSettings(memory, one)),
      ),
  })),
  {
    name: "cap-ignored",
    about: "an endpoint gets twice as many POSTs at a time as it allows",
    into: (ports, memory) => doubleCaps.into(hideDoubledCaps.into(ports, memory), memory),
  },
  plant(
    "secret-of-another-endpoint",
    "POSTs are signed with the secret of another endpoint",
    Endpoints,
    (real, memory) => ({
      secrets: (ids) =>
        Effect.map(real.secrets(ids), (all) => {
          const first = memory.get("secret") ?? [...all.values()][0];
          memory.set("secret", first);
          return new Map([...all.keys()].map((id) => [id, first as Option.Option<never>]));
        }),
    }),
  ),
  plant("event-dropped", "every eleventh event is not stored, nor its deliveries", EventLedger, (real, memory) => ({
    append: (events) => real.append(events.filter(() => !isNth(memory, 11))),
  })),
  plant("sent-event-dropped", "every third `email.sent` is not stored", EventLedger, (real, memory) => ({
    append: (events) => real.append(events.filter(({ type }) => type !== "email.sent" || !isNth(memory, 3))),
  })),
  nodePlant("worker-gives-up", "a worker ends after its store failed three times in a row", DeliveryQueue, (real) => {
    let failures = 0;
    return {
      nextDue: Effect.suspend(() =>
        failures >= 3
          ? Effect.succeedNone
          : Effect.onExit(real.nextDue, (exit) =>
              Effect.sync(() => void (failures = Exit.isFailure(exit) ? failures + 1 : 0)),
            ),
      ),
    };
  }),
  plant(
    "event-written-again",
    "a repeated commit writes its events again under new ids",
    EventLedger,
    (real, memory) => ({
      append: (events) =>
        real.append(
          events.map((event) => {
            const key = `${event.id} again`;
            const before = (memory.get(key) as number | undefined) ?? 0;
            memory.set(key, before + 1);
            return before === 0 ? event : { ...event, id: `${event.id}-${before}` };
          }),
        ),
    }),
  ),
  plant("live-event-skipped", "a stream leaves out the first of several new events", EventLedger, (real) => ({
    after: (account, position, limit) =>
      Effect.map(real.after(account, position, limit), (entries) => (entries.length > 1 ? entries.slice(1) : entries)),
  })),
  plant("live-stream-begins-late", "a stream that is opened again begins at its end", EventLedger, (real) => ({
    positionOf: (account) => Effect.map(real.lastPosition(account), Option.some),
  })),
  plant("events-kept-for-ever", "old events are not forgotten", EventLedger, () => ({
    forget: () => Effect.succeed(false),
  })),
];
