import { setTimeout as sleep } from "node:timers/promises";
import { Transaction } from "@postern/core/shared";
import { Deferred, Effect, Fiber } from "effect";

/**
 * Runs an effect while the transaction of another one is still open. Returns the results of both, the other one first,
 * and whether the effect waited for the transaction to end.
 */
export const besideTransaction = Effect.fn("besideTransaction")(function* <A, E, R, A2, E2, R2>(
  other: Effect.Effect<A, E, R>,
  effect: Effect.Effect<A2, E2, R2>,
) {
  const transaction = yield* Transaction;
  const begun = yield* Deferred.make<void>();
  let isEnding = false;
  // A suite's clock may stand still.
  const pause = Effect.andThen(
    Deferred.succeed(begun, undefined),
    Effect.promise(() => sleep(100)),
  );
  const end = Effect.sync(() => (isEnding = true));
  const open = transaction.run(Effect.tap(other, () => Effect.andThen(pause, end)));
  const fiber = yield* Effect.forkChild(open);
  yield* Deferred.await(begun);
  const seen = yield* effect;
  const hasWaited = isEnding;
  return { results: [yield* Fiber.join(fiber), seen] as const, hasWaited };
});
