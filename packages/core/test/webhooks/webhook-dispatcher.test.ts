import { assert, describe, it } from "@effect/vitest";
import { Clock, Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import type { MailEvent } from "../../src/events/index.ts";
import { StoreUnavailable } from "../../src/shared/index.ts";
import {
  attemptOf,
  type ClaimedDelivery,
  DeliveryQueue,
  type Endpoint,
  Endpoints,
  headerSigner,
  Hmac,
  initialSecrets,
  type SigningSecrets,
  WebhookDispatcher,
  type WebhookPost,
  WebhookSender,
  WebhookSettlement,
} from "../../src/webhooks/index.ts";
import { UNSIGNED } from "../../src/webhooks/DeliveryOutcome.ts";
import { numberedIds } from "../doubles.ts";
import { answered, deliveryWith, endpointWith, T0 } from "../webhook-doubles.ts";

const hmac: Hmac["Service"] = { sha256: () => () => new Uint8Array([1, 2]) };
const SECRETS = initialSecrets(Redacted.make("whsec_c2VjcmV0"));
const EVENT = { id: "evt_1", type: "email.received", body: new Uint8Array([123, 125]) } as MailEvent;

const due = (id: string, endpoint: Endpoint = endpointWith(), attempt = 1): ClaimedDelivery => ({
  delivery: deliveryWith({ id, endpointId: endpoint.id }),
  endpoint,
  event: EVENT,
  attempt,
});

/** A dispatcher of these deliveries, which are due, with what it did. */
const world = (
  waiting: ReadonlyArray<ClaimedDelivery>,
  secrets: ReadonlyMap<string, Option.Option<SigningSecrets>> = new Map([["we_1", Option.some(SECRETS)]]),
) => {
  const state = {
    asked: Array<ReadonlyArray<string>>(),
    posts: Array<WebhookPost>(),
    settled: Array<unknown>(),
    reaped: Array<number>(),
    leases: new Set<string>(),
    renewed: Array<readonly [number, number]>(),
    secretsMillis: 0,
    postMillis: 0,
    isDown: false,
  };
  let rest = waiting;
  const layer = WebhookDispatcher.layer.pipe(
    Layer.provide([
      Layer.mock(DeliveryQueue, {
        claim: (_, { token, until }, limit) =>
          Effect.sync(() => {
            const claimed = rest.slice(0, limit);
            rest = rest.slice(limit);
            if (claimed.length > 0) state.leases.add(`${token} ${until - T0}`);
            return claimed;
          }),
        renew: (ids, { until }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            state.renewed.push([now - T0, until - T0]);
            return new Set(ids);
          }),
        changed: Effect.never,
        nextDue: Effect.succeedNone,
      }),
      Layer.mock(Endpoints, {
        secrets: (ids) =>
          Effect.gen(function* () {
            state.asked.push(ids);
            yield* Effect.sleep(state.secretsMillis);
            return new Map([...secrets].filter(([id]) => ids.includes(id)));
          }),
      }),
      Layer.mock(WebhookSender, {
        send: (post) =>
          Effect.suspend(() => {
            state.posts.push(post);
            return Effect.as(Effect.sleep(state.postMillis), answered(204));
          }),
      }),
      Layer.mock(WebhookSettlement, {
        reap: (now) => Effect.sync(() => void state.reaped.push(now - T0)),
        settle: ({ claimed, ...sent }) =>
          Effect.suspend(() => {
            state.settled.push({ id: claimed.delivery.id, ...sent });
            return state.isDown ? new StoreUnavailable({ detail: "down" }) : Effect.void;
          }),
      }),
      Layer.succeed(Hmac, hmac),
      numberedIds,
    ]),
  );
  const dispatch = Effect.gen(function* () {
    yield* TestClock.setTime(T0);
    const { runDue } = yield* WebhookDispatcher;
    const running = yield* Effect.forkScoped(runDue);
    yield* TestClock.adjust("1 minute");
    assert.isDefined(running.pollUnsafe());
  }).pipe(Effect.provide(layer), Effect.scoped);
  return { state, dispatch };
};

describe("a delivery that is due", () => {
  it.effect("is posted to its endpoint, signed at this time, and its outcome is recorded", () =>
    Effect.gen(function* () {
      const claimed = due("d1", endpointWith(), 3);
      const { state, dispatch } = world([claimed]);
      yield* dispatch;
      const headers = headerSigner(hmac)({ ...EVENT, attempt: 3 }, SECRETS, T0);
      assert.include(headers, { "X-Service-Attempt": "3", "webhook-id": "evt_1", "webhook-timestamp": "1767323045" });
      const { url } = claimed.endpoint;
      assert.deepStrictEqual(state.posts, [{ endpointId: "we_1", url, headers, body: EVENT.body }]);
      const outcome = answered(204);
      const [lease] = state.leases;
      assert.deepStrictEqual(state.settled, [
        {
          id: "d1",
          token: lease?.split(" ")[0],
          attempt: attemptOf(claimed.delivery, 3, T0, outcome, headers),
          outcome,
          endedAt: T0 + outcome.ms,
        },
      ]);
    }),
  );

  it.effect("is neither posted nor counted if its endpoint was deleted", () =>
    Effect.gen(function* () {
      const { state, dispatch } = world([due("d1", endpointWith({ id: "we_gone" })), due("d2")]);
      yield* dispatch;
      assert.lengthOf(state.posts, 1);
      assert.deepStrictEqual(
        state.settled.map((one) => (one as { readonly id: string }).id),
        ["d2"],
      );
    }),
  );

  it.effect("is not posted if its secrets cannot be decrypted, which counts as a failed attempt", () =>
    Effect.gen(function* () {
      const claimed = due("d1");
      const { state, dispatch } = world([claimed], new Map([["we_1", Option.none()]]));
      yield* dispatch;
      assert.deepStrictEqual(state.posts, []);
      assert.deepInclude(state.settled[0], {
        outcome: UNSIGNED,
        attempt: attemptOf(claimed.delivery, 1, T0, UNSIGNED),
        endedAt: T0,
      });
    }),
  );

  it.effect("is not posted once its lease of eight seconds ended [S9.3-4]", () =>
    Effect.gen(function* () {
      for (const [millis, posts] of [
        [7_999, 1],
        [8_000, 0],
      ] as const) {
        const { state, dispatch } = world([due("d1")]);
        state.secretsMillis = millis;
        yield* dispatch;
        assert.deepStrictEqual([state.posts.length, state.settled.length], [posts, posts]);
      }
    }),
  );
});

describe("the dispatcher", () => {
  it.effect("renews the lease of a slow POST every two seconds, each time for eight", () =>
    Effect.gen(function* () {
      const { state, dispatch } = world([due("d1")]);
      state.postMillis = 5_000;
      yield* dispatch;
      assert.deepStrictEqual(state.renewed, [
        [2_000, 10_000],
        [4_000, 12_000],
      ]);
      assert.lengthOf(state.settled, 1);
    }),
  );

  it.effect("reads the secrets of each endpoint once for a claim, and none if nothing is due", () =>
    Effect.gen(function* () {
      const other = endpointWith({ id: "we_2" });
      const secrets = new Map(["we_1", "we_2"].map((id) => [id, Option.some(SECRETS)]));
      const { state, dispatch } = world([due("d1"), due("d2", other), due("d3")], secrets);
      yield* dispatch;
      assert.deepStrictEqual(state.asked, [["we_1", "we_2"]]);
      assert.lengthOf(state.posts, 3);
    }),
  );

  it.effect("posts at most 1024 deliveries at a time", () =>
    Effect.gen(function* () {
      const { state, dispatch } = world(Array.from({ length: 1_025 }, (_, n) => due(`d${n}`)));
      yield* dispatch;
      assert.deepStrictEqual([state.leases.size, state.posts.length], [2, 1_025]);
    }),
  );

  it.effect("reclaims lost deliveries before it claims, and goes on if an outcome cannot be recorded", () =>
    Effect.gen(function* () {
      const { state, dispatch } = world([due("d1"), due("d2")]);
      state.isDown = true;
      yield* dispatch;
      assert.lengthOf(state.settled, 2);
      assert.strictEqual(state.reaped[0], 0);
    }),
  );
});
