import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Metric } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { EventPublisher } from "../../src/events/index.ts";
import { RETRY_LADDER, StoreUnavailable } from "../../src/shared/index.ts";
import {
  attemptOf,
  claimDelivery,
  type Delivery,
  DeliveryQueue,
  type Endpoint,
  Endpoints,
  isDelivered,
  EndpointNotices,
  WebhookSettings,
  WebhookSettlement,
} from "../../src/webhooks/index.ts";
import { setSuspended } from "../../src/webhooks/endpoint-state.ts";
import { noTransaction, numberedIds, ownMetrics, readableIds } from "../doubles.ts";
import { answered, deliveryWith, endpointWith, T0 } from "../webhook-doubles.ts";

/** The settlement of an endpoint's deliveries, with the writes and announcements. Claims with `lost` tokens are lost. */
const world = (expired: ReadonlyArray<Delivery> = []) => {
  const state = {
    endpoint: endpointWith() as Endpoint,
    stored: [] as Array<string>,
    announced: [] as Array<string>,
    failures: 0,
    reaped: 0,
  };
  const layer = WebhookSettlement.layer.pipe(
    Layer.provide([
      Layer.mock(DeliveryQueue, {
        settle: (all) =>
          Effect.suspend(() => {
            if (state.failures-- > 0) return new StoreUnavailable({ detail: "down" });
            const ours = all.filter(({ token }) => token !== "lost");
            state.stored.push(
              ours.map(({ delivery }) => `${delivery.id} ${delivery.state} ${delivery.dueAt - T0}`).join(),
            );
            return Effect.succeed(new Set(ours.map(({ delivery }) => delivery.id)));
          }),
        hasExpired: () => Effect.sync(() => expired.length > 0),
        reap: (_, decide) => Effect.sync(() => (state.reaped++, expired.map(decide))),
      }),
      Layer.mock(Endpoints, {
        change: (ids, decide) =>
          Effect.sync(() => {
            if (!ids.includes(state.endpoint.id)) return [];
            const [answer, after] = decide(state.endpoint);
            state.endpoint = after;
            return [answer];
          }),
      }),
      Layer.mock(EndpointNotices, {
        notifyDisabled: ({ disabledAt }) => Effect.sync(() => void state.announced.push(`notice ${disabledAt - T0}`)),
      }),
      Layer.mock(EventPublisher, {
        publish: (events) =>
          Effect.sync(() => {
            state.announced.push(...events.map(({ type, occurredAt }) => `${type} ${occurredAt - T0}`));
            return [];
          }),
      }),
      Layer.succeed(WebhookSettings, { ladder: RETRY_LADDER, baseUrl: "https://mail.x.test" }),
      numberedIds,
      readableIds,
      noTransaction,
    ]),
  );
  return { state, layer };
};

/** An attempt at a delivery that ended at this time. */
const sent = (delivery: Delivery, status: number, endedAt: number, token = "token") => {
  const outcome = answered(status);
  const claimed = claimDelivery(delivery, { token, until: T0 + 15_000 }, T0);
  return {
    claimed: { delivery: claimed, endpoint: endpointWith(), event: undefined as never, attempt: 1 },
    token,
    attempt: attemptOf(claimed, 1, T0, outcome),
    outcome,
    endedAt,
  };
};
const last = (id: string) => deliveryWith({ id, step: 5 });
const settle = (layer: ReturnType<typeof world>["layer"], ...all: ReadonlyArray<ReturnType<typeof sent>>) =>
  Effect.gen(function* () {
    const settlement = yield* WebhookSettlement;
    const settling = yield* Effect.forkChild(
      Effect.forEach(all, (one) => settlement.settle(one), { concurrency: "unbounded", discard: true }),
    );
    yield* TestClock.adjust("10 seconds");
    yield* Fiber.join(settling);
  }).pipe(Effect.provide(layer), Effect.scoped);

describe("the outcomes of deliveries", () => {
  it.effect("are counted from zero, by what the endpoint answered", () =>
    Effect.gen(function* () {
      const countsOf = Effect.map(Metric.snapshot, (all) =>
        Object.fromEntries(
          all
            .filter(({ id }) => id === "webhook_attempts_total")
            .map(({ attributes, state }) => [attributes?.["outcome"], Number((state as { count: number }).count)]),
        ),
      );
      const { layer } = world();
      yield* Effect.scoped(Effect.provide(WebhookSettlement, layer));
      expect(yield* countsOf).toEqual({ delivered: 0, rejected: 0 });
      yield* settle(layer, sent(deliveryWith(), 204, T0), sent(deliveryWith({ id: "d2" }), 404, T0));
      expect(yield* countsOf).toEqual({ delivered: 1, rejected: 1 });
    }).pipe(ownMetrics),
  );

  it.effect("are stored, and disable no endpoint while a retry is left", () =>
    Effect.gen(function* () {
      const { state, layer } = world();
      yield* settle(layer, sent(deliveryWith(), 200, T0 + 5), sent(deliveryWith({ id: "d2" }), 500, T0 + 5));
      expect(state.stored.join().split(",").toSorted()).toEqual(["d1 succeeded 0", "d2 pending 60005"]);
      expect([state.announced, state.endpoint.state]).toEqual([[], "enabled"]);
      expect(isDelivered(answered(200))).toBe(true);
    }),
  );

  it.effect("disable an endpoint once, when the first ladder ended, and tell its owner", () =>
    Effect.gen(function* () {
      const { state, layer } = world();
      yield* settle(layer, sent(last("a"), 500, T0 + 9), sent(last("b"), 500, T0 + 7), sent(deliveryWith(), 200, T0));
      expect(state.announced).toEqual(["notice 7", "webhook.disabled 7"]);
      expect(state.endpoint).toMatchObject({ state: "disabled", disabledReason: "exhausted", disabledAt: T0 + 7 });
    }),
  );

  it.effect("disable an endpoint whose application was suspended during the last attempt [S7.5-4]", () =>
    Effect.gen(function* () {
      const { state, layer } = world();
      state.endpoint = setSuspended(state.endpoint, true, T0 + 5);
      yield* settle(layer, sent(last("a"), 500, T0 + 7));
      expect(state.announced).toEqual(["notice 7", "webhook.disabled 7"]);
      expect(setSuspended(state.endpoint, false, T0 + 9)).toMatchObject({ state: "disabled", disabledAt: T0 + 7 });
    }),
  );

  it.effect("of a lost claim change nothing", () =>
    Effect.gen(function* () {
      const { state, layer } = world();
      yield* settle(layer, sent(last("a"), 500, T0, "lost"));
      expect([state.announced, state.endpoint.state]).toEqual([[], "enabled"]);
    }),
  );

  it.effect("of one delivery are stored one after another", () =>
    Effect.gen(function* () {
      const { state, layer } = world();
      yield* settle(
        layer,
        sent(deliveryWith(), 500, T0 + 1),
        sent(deliveryWith(), 200, T0 + 2),
        sent(deliveryWith({ id: "d2" }), 200, T0),
      );
      expect(state.stored).not.toContain("");
      for (const together of state.stored) {
        const ids = together.split(",").map((one) => one.split(" ")[0]);
        expect(new Set(ids).size).toBe(ids.length);
      }
      expect(state.stored.join().match(/d1/g)).toHaveLength(2);
    }),
  );

  it.effect("are stored again for five seconds while the database is down", () =>
    Effect.gen(function* () {
      const { state, layer } = world();
      state.failures = 5;
      yield* settle(layer, sent(deliveryWith(), 200, T0));
      expect(state.stored).toEqual(["d1 succeeded 0"]);
      state.failures = 6;
      const failed = yield* Effect.flip(settle(layer, sent(deliveryWith(), 200, T0)));
      expect(failed._tag).toBe("StoreUnavailable");
    }),
  );
});

describe("lost claims", () => {
  const reap = (layer: ReturnType<typeof world>["layer"]) =>
    Effect.scoped(
      Effect.provide(
        Effect.flatMap(WebhookSettlement, (settlement) => settlement.reap(T0 + 3)),
        layer,
      ),
    );

  it.effect("are reclaimed only if one expired, and the fifth may end a ladder", () =>
    Effect.gen(function* () {
      const none = world();
      yield* reap(none.layer);
      expect(none.state.reaped).toBe(0);
      const early = world([deliveryWith({ state: "in_flight", step: 5 })]);
      yield* reap(early.layer);
      expect([early.state.reaped, early.state.announced]).toEqual([1, []]);
      const fifth = world([deliveryWith({ state: "in_flight", step: 5, lostClaims: 4 })]);
      yield* reap(fifth.layer);
      expect(fifth.state.announced).toEqual(["notice 3", "webhook.disabled 3"]);
    }),
  );
});
