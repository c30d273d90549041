import { assert } from "@effect/vitest";
import { Effect } from "effect";

/** Returns the error of an operation that has to fail; fails the test if it succeeds. */
export const errorOf = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<E, never, R> =>
  Effect.matchEffect(operation, {
    onFailure: (error) => Effect.succeed(error),
    onSuccess: () => Effect.sync(() => assert.fail("the operation succeeded, but the contract asks for an error")),
  });
