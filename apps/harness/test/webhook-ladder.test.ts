import { assert, describe, it } from "@effect/vitest";
import { enableEndpoint, ownedBy } from "@postern/core/webhooks";
import { RETRY_LADDER } from "@postern/core/shared";
import type { ReceiverReply } from "@postern/memory";
import { Clock, Effect, Metric, Option } from "effect";
import { TestClock } from "effect/testing";

import { ACCOUNT, webhookWorld } from "./webhook-world.ts";

describe("the ladder on a virtual clock", () => {
  it.effect(
    "makes six attempts to the second with the same bytes, then disables the endpoint and notifies its owner once [S7.1-2] [S7.5-4]",
    () =>
      Effect.gen(function* () {
        const { publish, posts, notices, seconds, now, start, dispatcher } = yield* webhookWorld(() => ({
          status: 500,
        }));
        yield* Effect.forkChild(dispatcher.run);
        const event = yield* publish;
        // The first attempt ends before time passes.
        for (let turn = 0; turn < 50; turn++) yield* TestClock.adjust(0);
        // A whole day in steps of a minute, so that an early attempt would be seen.
        for (let minute = 0; minute < 8 * 60; minute++) yield* TestClock.adjust("1 minute");
        assert.deepStrictEqual(seconds(), [0, 60, 360, 1260, 4860, 26460]);
        assert.deepStrictEqual(
          posts.map(({ headers }) => headers["X-Service-Attempt"]),
          ["1", "2", "3", "4", "5", "6"],
        );
        for (const { body, headers } of posts) {
          assert.strictEqual(body, event.body);
          assert.strictEqual(headers["webhook-id"], event.id);
          assert.strictEqual(headers["X-Service-Signature"], posts[0]!.headers["X-Service-Signature"]);
        }
        assert.strictEqual(notices.length, 1);
        assert.deepInclude(notices[0]!, { endpointId: "we_1", owner: ownedBy(ACCOUNT), generation: 1 });
        const disabledAt = start + 26_460_000;
        assert.deepInclude(yield* now, { state: "disabled", disabledReason: "exhausted", disabledAt, generation: 2 });
        const count = (yield* Metric.snapshot).find(({ id }) => id === "endpoints_disabled_total");
        assert.strictEqual(count?.type === "Counter" && Number(count.state.count), 1);
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  );

  it.effect.each([1, 2, 3, 4, 5, 6])("stops at a success of attempt %d", (nth) =>
    Effect.gen(function* () {
      const { publish, posts, notices, now, dispatcher } = yield* webhookWorld((n) => ({
        status: n === nth ? 204 : 503,
      }));
      yield* publish;
      let attempts = 0;
      for (const wait of [0, ...RETRY_LADDER, 86_400_000]) {
        yield* TestClock.adjust(wait);
        attempts += yield* dispatcher.runDue;
      }
      assert.deepStrictEqual([attempts, posts.length, notices.length], [nth, nth, 0]);
      assert.deepInclude(yield* now, { state: "enabled", consecutiveFailures: 0, lastStatus: 204 });
    }),
  );

  it.effect("makes no attempt a millisecond early", () =>
    Effect.gen(function* () {
      const { publish, posts, dispatcher } = yield* webhookWorld(() => ({ status: 500 }));
      yield* publish;
      assert.strictEqual(yield* dispatcher.runDue, 1);
      for (const [nth, wait] of RETRY_LADDER.entries()) {
        yield* TestClock.adjust(wait - 1);
        assert.strictEqual(yield* dispatcher.runDue, 0);
        yield* TestClock.adjust(1);
        assert.strictEqual(yield* dispatcher.runDue, 1);
        assert.strictEqual(posts.length, nth + 2);
      }
    }),
  );

  it.effect("counts a step from the end of an attempt that timed out, keeping its claim", () =>
    Effect.gen(function* () {
      const { publish, seconds, log, dispatcher } = yield* webhookWorld((nth) =>
        nth === 1 ? "silence" : { status: 200 },
      );
      yield* Effect.forkChild(dispatcher.run);
      const { id } = yield* publish;
      yield* TestClock.adjust("16 seconds");
      const [delivery] = yield* log.ofEvents("we_1", [id]);
      assert.deepInclude(delivery!, { state: "pending", step: 1, lostClaims: 0 });
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(seconds(), [0, 75]);
      const { attempts } = Option.getOrThrow(yield* log.find("we_1", delivery!.id));
      assert.deepInclude(attempts[0]!, { errorCode: "timeout", ms: 15_000, status: null });
    }),
  );

  it.effect("notifies the owner once when twenty deliveries exhaust together, and holds later events", () =>
    Effect.gen(function* () {
      const { publish, posts, notices, endpoints, log, dispatcher } = yield* webhookWorld(() => ({
        errorCode: "refused",
      }));
      for (let n = 0; n < 20; n++) yield* publish;
      for (const wait of [0, ...RETRY_LADDER]) {
        yield* TestClock.adjust(wait);
        yield* dispatcher.runDue;
      }
      assert.strictEqual(notices.length, 1);
      const held = yield* publish;
      yield* TestClock.adjust("1 day");
      const before = posts.length;
      assert.strictEqual(yield* dispatcher.runDue, 0);
      yield* endpoints.change(["we_1"], (endpoint) => [undefined, enableEndpoint(endpoint, endpoint.updatedAt + 1)]);
      assert.strictEqual(yield* dispatcher.runDue, 0);
      assert.strictEqual(posts.length, before);
      assert.deepInclude((yield* log.ofEvents("we_1", [held.id]))[0]!, { state: "pending", generation: 2 });
    }),
  );

  it.effect("reclaims a delivery whose worker is gone, without counting an attempt", () =>
    Effect.gen(function* () {
      const { publish, posts, queue, log, dispatcher } = yield* webhookWorld(() => ({ status: 200 }));
      const { id } = yield* publish;
      const now = yield* Clock.currentTimeMillis;
      const [lost] = yield* queue.claim(now, { token: "dead", until: now + 15_000 }, 1);
      yield* Effect.forkChild(dispatcher.run);
      yield* TestClock.adjust(14_999);
      assert.strictEqual(posts.length, 0);
      yield* TestClock.adjust(1);
      assert.deepStrictEqual(
        posts.map(({ headers }) => [headers["webhook-id"], headers["X-Service-Attempt"]]),
        [[id, "1"]],
      );
      assert.deepInclude((yield* log.ofEvents("we_1", [id]))[0]!, { state: "succeeded", step: 0 });
      const late = {
        deliveryId: lost!.delivery.id,
        n: 1,
        startedAt: now,
        ms: 1,
        status: 500,
        errorCode: null,
        excerpt: "",
      };
      const exhausted = { ...lost!.delivery, state: "exhausted" as const };
      const settled = { delivery: exhausted, token: "dead", attempt: { ...late, remoteIp: null, headers: null } };
      assert.strictEqual((yield* queue.settle([settled])).size, 0);
    }),
  );

  it.effect("sends events one at a time, in order, to an ordered endpoint", () =>
    Effect.gen(function* () {
      const reply = (nth: number): ReceiverReply => ({ status: nth === 1 ? 500 : 200 });
      const { publish, posts, dispatcher } = yield* webhookWorld(reply, { ordered: true });
      for (let n = 0; n < 3; n++) {
        yield* publish;
        yield* TestClock.adjust(1);
      }
      assert.strictEqual(yield* dispatcher.runDue, 1);
      yield* TestClock.adjust("1 minute");
      assert.strictEqual(yield* dispatcher.runDue, 3);
      assert.deepStrictEqual(
        posts.map(({ headers }) => headers["webhook-id"]),
        ["evt_1", "evt_1", "evt_2", "evt_3"],
      );
    }),
  );

  it.effect("delivers other events while the receiver hangs on one", () =>
    Effect.gen(function* () {
      const { publish, posts, dispatcher } = yield* webhookWorld((nth) => (nth === 1 ? "silence" : { status: 200 }));
      yield* Effect.forkChild(dispatcher.run);
      yield* publish;
      yield* TestClock.adjust(1);
      for (let n = 0; n < 10; n++) yield* publish;
      // No time passes: each delivery that ends makes room for the next.
      for (let turn = 0; turn < 50 && posts.length < 11; turn++) yield* TestClock.adjust(0);
      assert.strictEqual(posts.length, 11);
    }),
  );
});
