import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "@effect/vitest";
import { Transaction } from "@postern/core/shared";
import { Deferred, Effect, Fiber, Option } from "effect";

/**
 * Asserts that a change of a row that changes nothing waits for a transaction that changed the row, and that a change waits for
 * a transaction that looked at the row in this way. Both return what they saw, which `save` makes different.
 */
export const assertChangesWait = Effect.fn("assertChangesWait")(function* <A, E, R>(
  look: Effect.Effect<Option.Option<A>, E, R>,
  save: Effect.Effect<Option.Option<A>, E, R>,
) {
  const transaction = yield* Transaction;
  /** Runs a change while the transaction of another one is open; returns what both saw, the other one first. */
  const beside = Effect.fnUntraced(function* (first: typeof look, second: typeof look) {
    const begun = yield* Deferred.make<void>();
    let isEnding = false;
    // A suite's clock may stand still.
    const pause = Effect.andThen(
      Deferred.succeed(begun, undefined),
      Effect.promise(() => sleep(100)),
    );
    const end = Effect.sync(() => (isEnding = true));
    const open = transaction.run(Effect.tap(first, () => Effect.andThen(pause, end)));
    const fiber = yield* Effect.forkChild(open);
    yield* Deferred.await(begun);
    const seen = yield* second;
    assert.isTrue(isEnding, "a change does not wait for an open transaction");
    return [yield* Fiber.join(fiber), seen].map(Option.getOrThrow);
  });
  const [before, after] = yield* beside(save, look);
  assert.notDeepEqual(after, before, "a change does not see what another transaction changed");
  assert.deepStrictEqual(yield* beside(look, save), [after, after]);
});
