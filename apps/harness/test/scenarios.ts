import { assert, it } from "@effect/vitest";
import { RETRY_LADDER } from "@postern/core/shared";
import { verifyWebhook } from "@postern/client/webhooks";
import { type Harness, retryLadder } from "@postern/harness";
import { Effect, type Scope } from "effect";

/** Declares the test of the ladder's scenario on these stores: exact to the millisecond of virtual time. */
export const ladderScenario = (name: string, world: Effect.Effect<Harness, unknown, Scope.Scope>) =>
  it.effect(`the ladder to the second, one notice, and a replay on ${name}`, () =>
    Effect.gen(function* () {
      const { moments, notices, disabled, deliveries, secret } = yield* retryLadder(yield* world);
      const posts = moments.flatMap(({ at, post }) => (post === undefined ? [] : [{ at, post }]));
      const ladder = RETRY_LADDER.reduce<ReadonlyArray<number>>((at, wait) => [...at, at.at(-1)! + wait], [0]);
      assert.deepStrictEqual(
        ladder.map((millis) => millis / 1000),
        [0, 60, 360, 1260, 4860, 26460],
      );
      assert.deepStrictEqual(
        posts.slice(0, 6).map(({ at }) => at),
        ladder,
      );
      assert.deepStrictEqual(disabled.disabledReason, "exhausted");
      assert.deepStrictEqual(
        notices.map(({ subject }) => subject),
        ["A webhook endpoint was disabled"],
      );
      const [first] = posts;
      for (const { post } of posts) {
        assert.deepStrictEqual(Buffer.from(post.body), Buffer.from(first!.post.body));
        assert.strictEqual(post.headers["webhook-id"], first!.post.headers["webhook-id"]);
        const headers = new Headers(post.headers);
        const event = yield* Effect.promise(() =>
          verifyWebhook({ headers, body: post.body, secret, scheme: "service" }),
        );
        assert.strictEqual(event.event, "email.sent");
      }
      assert.strictEqual(posts.length, 7, "the replay delivered the event");
      assert.deepStrictEqual(
        deliveries.map(({ state, trigger, attempts }) => [state, trigger, attempts.length]),
        [
          ["succeeded", "replay", 1],
          ["exhausted", "event", 6],
        ],
      );
    }),
  );
