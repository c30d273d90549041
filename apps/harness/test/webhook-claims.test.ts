import { assert, describe, it } from "@effect/vitest";
import { StoreUnavailable } from "@postern/core/shared";
import { attemptOf, type DeliveryQueue } from "@postern/core/webhooks";
import { Clock, Effect, Option } from "effect";
import { TestClock } from "effect/testing";
import { webhookWorld } from "./webhook-world.ts";

const SLOW = { status: 200, afterMillis: 14_000 };

describe("a claim with a slow POST", () => {
  it.effect("is renewed with all others in one call", () =>
    Effect.gen(function* () {
      const renewed: Array<number> = [];
      const { publish, log, dispatcher } = yield* webhookWorld(
        () => SLOW,
        {},
        (queue) => ({
          ...queue,
          renew: (ids, lease) =>
            Effect.tap(queue.renew(ids, lease), (held) => Effect.sync(() => renewed.push(held.size))),
        }),
      );
      yield* Effect.forkChild(dispatcher.run);
      yield* publish;
      const { id } = yield* publish;
      yield* TestClock.adjust("13 seconds");
      assert.deepStrictEqual(renewed, [2, 2, 2, 2, 2, 2]);
      const [delivery] = yield* log.ofEvents("we_1", [id]);
      assert.deepInclude(delivery!, { state: "in_flight", leaseUntil: 20_000 });
      yield* TestClock.adjust("1 minute");
      assert.lengthOf(renewed, 6, "no delivery is in flight any more");
    }),
  );

  it.effect("does not settle the delivery after the claim is lost, and its POST is aborted", () =>
    Effect.gen(function* () {
      const { publish, posts, queue, log, dispatcher } = yield* webhookWorld((nth) =>
        nth === 1 ? SLOW : { status: 204 },
      );
      yield* Effect.forkChild(dispatcher.run);
      const { id } = yield* publish;
      yield* TestClock.adjust("1 second");
      const [mine] = yield* log.ofEvents("we_1", [id]);
      const now = yield* Clock.currentTimeMillis;
      yield* queue.release([mine!.id], mine!.leaseToken!, now);
      const [theirs] = yield* queue.claim(now, { token: "theirs", until: now + 60_000 }, 1);
      assert.strictEqual(theirs!.delivery.id, mine!.id);
      yield* TestClock.adjust("20 seconds");
      assert.deepInclude((yield* log.ofEvents("we_1", [id]))[0]!, { state: "in_flight", leaseToken: "theirs" });
      assert.strictEqual(posts.length, 1);
    }),
  );

  it.effect("is kept while the store fails, until its lease expires", () =>
    Effect.gen(function* () {
      let away = false;
      const whileHere: Wrap = (queue) => ({
        ...queue,
        renew: (...claim) => (away ? new StoreUnavailable({ detail: "away" }) : queue.renew(...claim)),
      });
      const { publish, posts, log, dispatcher } = yield* webhookWorld(
        () => ({ ...SLOW, afterMillis: 7_000 }),
        {},
        whileHere,
      );
      yield* Effect.forkChild(dispatcher.run);
      const { id } = yield* publish;
      away = true;
      yield* TestClock.adjust("8 seconds");
      assert.deepInclude((yield* log.ofEvents("we_1", [id]))[0]!, { state: "succeeded" });
      assert.strictEqual(posts.length, 1);
    }),
  );

  it.effect.each(["before", "after"] as const)(
    "counts no outcome of a lost claim, written %s the current one",
    (order) =>
      Effect.gen(function* () {
        const { publish, queue, log, settlement, now } = yield* webhookWorld(() => SLOW);
        const { id } = yield* publish;
        const claim = (token: string, at: number) =>
          Effect.map(queue.claim(at, { token, until: at + 8_000 }, 1), ([claimed]) => ({ claimed: claimed!, token }));
        const lost = yield* claim("lost", 0);
        yield* settlement.reap(8_000);
        const current = yield* claim("current", 8_000);
        const settled = (one: typeof lost, status: number, endedAt: number) => {
          const outcome = { status, errorCode: null, ms: 1, excerpt: "", remoteIp: null, retryAfter: null };
          const attempt = attemptOf(one.claimed.delivery, one.claimed.attempt, endedAt - 1, outcome);
          return settlement.settle({ ...one, attempt, outcome, endedAt });
        };
        const both = [settled(lost, 500, 9_002), settled(current, 200, 9_001)];
        yield* Effect.all(order === "before" ? both : both.toReversed(), { concurrency: "unbounded" });
        const [delivery] = yield* log.ofEvents("we_1", [id]);
        assert.strictEqual(delivery!.state, "succeeded");
        const logged = Option.getOrThrow(yield* log.find("we_1", delivery!.id));
        assert.deepStrictEqual(
          logged.attempts.map(({ status }) => status),
          [200],
        );
        assert.deepInclude(yield* now, { lastStatus: 200, consecutiveFailures: 0 });
      }),
  );
});

type Wrap = (queue: DeliveryQueue["Service"]) => DeliveryQueue["Service"];
