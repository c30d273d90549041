import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { Creations } from "../../src/creations/index.ts";
import { EventLedger } from "../../src/events/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { type Delivery, DeliveryLog, DeliveryQueue, Endpoints, ownedBy } from "../../src/webhooks/index.ts";
import { WebhookDeliveries } from "../../src/webhooks/index.ts";
import { noTransaction, numberedIds } from "../doubles.ts";
import { deliveryWith, endpointWith, T0 } from "../webhook-doubles.ts";

const OWNER = ownedBy(AccountId("demo@postern.test"));
const KEY = { caller: "c", key: "k", account: null };

/** An endpoint with these deliveries and these events to replay; repeated requests find what the first one recorded. */
const world = (first: ReadonlyArray<Delivery>, events = 0) => {
  const state = { deliveries: first, completed: Array<string>(), requests: Array<unknown>() };
  const places = Array.from({ length: events }, (_, n) => ({ eventId: `evt_${n}`, occurredAt: T0, position: n }));
  let id: string | undefined;
  const layer = WebhookDeliveries.layer.pipe(
    Layer.provide([
      Layer.mock(Creations, {
        once: (key, request, create, again) =>
          Effect.gen(function* () {
            state.requests.push([key, request]);
            const claim = {
              begin: () => Effect.void,
              complete: (created: string) => Effect.sync(() => void state.completed.push((id = created))),
            };
            return id === undefined ? yield* create(claim) : Option.getOrThrow(yield* again(id, claim));
          }),
      }),
      Layer.mock(Endpoints, {
        find: () => Effect.succeedSome(endpointWith()),
        change: (_, decide) => Effect.sync(() => [decide(endpointWith())[0]]),
      }),
      Layer.mock(DeliveryLog, {
        find: (_, id) =>
          Effect.sync(() => {
            const delivery = state.deliveries.find((one) => one.id === id);
            return delivery === undefined ? Option.none() : Option.some({ delivery, attempts: [] });
          }),
        listReplayable: (_, __, limit) => Effect.succeed(places.slice(0, limit)),
        ofEvents: () => Effect.succeed([]),
        revise: () => Effect.void,
      }),
      Layer.mock(DeliveryQueue, {
        insert: (added) => Effect.sync(() => void (state.deliveries = [...state.deliveries, ...added])),
      }),
      Layer.mock(EventLedger, {}),
      numberedIds,
      noTransaction,
    ]),
  );
  const run = <A, E>(use: (webhooks: WebhookDeliveries["Service"]) => Effect.Effect<A, E>) =>
    Effect.scoped(Effect.andThen(TestClock.setTime(T0), Effect.provide(Effect.flatMap(WebhookDeliveries, use), layer)));
  return { state, run };
};

describe("a repeated request", () => {
  it.effect("to resend a delivery finds the delivery of the first request", () =>
    Effect.gen(function* () {
      const { state, run } = world([deliveryWith({ state: "succeeded" })]);
      const [first, again] = yield* run(({ resend }) =>
        Effect.all([resend(OWNER, "we_1", "d1", KEY), resend(OWNER, "we_1", "d1", KEY)]),
      );
      expect(again).toEqual(first);
      expect(state.deliveries).toHaveLength(2);
      expect(state.completed).toEqual([first.delivery.id]);
      const request = { operation: "deliveries.resend", request: { endpointId: "we_1", id: "d1" } };
      expect(state.requests).toEqual([
        [KEY, request],
        [KEY, request],
      ]);
    }),
  );

  it.effect("to replay events continues the replay of the first request", () =>
    Effect.gen(function* () {
      const { state, run } = world([], 3);
      const since = new Date(T0 - 1_000).toISOString();
      const [first, again] = yield* run(({ replay }) =>
        Effect.all([replay(OWNER, "we_1", { since }, KEY), replay(OWNER, "we_1", { since }, KEY)]),
      );
      expect(again.id).toBe(first.id);
      expect(state.completed).toEqual([first.id]);
      expect(state.requests[0]).toEqual([
        KEY,
        { operation: "deliveries.replay", request: { endpointId: "we_1", since } },
      ]);
    }),
  );
});
