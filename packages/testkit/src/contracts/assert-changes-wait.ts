import { assert } from "@effect/vitest";
import { Effect, Option } from "effect";
import { besideTransaction } from "./beside-transaction.ts";

/**
 * Asserts that a change of a row that changes nothing waits for a transaction that changed the row, and that a change waits for
 * a transaction that looked at the row in this way. Both return what they saw, which `save` makes different.
 */
export const assertChangesWait = Effect.fn("assertChangesWait")(function* <A, E, R>(
  look: Effect.Effect<Option.Option<A>, E, R>,
  save: Effect.Effect<Option.Option<A>, E, R>,
) {
  /** Runs a change while the transaction of another one is open; returns what both saw, the other one first. */
  const beside = Effect.fnUntraced(function* (first: typeof look, second: typeof look) {
    const { results, hasWaited } = yield* besideTransaction(first, second);
    assert.isTrue(hasWaited, "a change does not wait for an open transaction");
    return results.map(Option.getOrThrow);
  });
  const [before, after] = yield* beside(save, look);
  assert.notDeepEqual(after, before, "a change does not see what another transaction changed");
  assert.deepStrictEqual(yield* beside(look, save), [after, after]);
});
