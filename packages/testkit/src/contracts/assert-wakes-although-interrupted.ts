import { assert } from "@effect/vitest";
import { Effect, Fiber } from "effect";

/** The number of moments at which a write is interrupted; a write of the embedded database takes fewer. */
const MOMENTS = 40;

const isDone = Effect.fnUntraced(function* (changed: Effect.Effect<void>) {
  const waiting = yield* Effect.forkChild(changed, { startImmediately: true });
  for (let turns = 0; turns < 20 && waiting.pollUnsafe() === undefined; turns++) yield* Effect.yieldNow;
  const isOver = waiting.pollUnsafe() !== undefined;
  yield* Fiber.interrupt(waiting);
  return isOver;
});

/**
 * Interrupts writes of due items, as clients do that disconnect, each a moment later than the one before. Asserts that
 * a sleeping worker is woken if the item was written.
 */
export const assertWakesAlthoughInterrupted = Effect.fn("assertWakesAlthoughInterrupted")(function* <
  Item,
  E,
  R,
  E2,
  R2,
>(options: {
  readonly newItem: Effect.Effect<Item, E, R>;
  readonly write: (item: Item) => Effect.Effect<unknown, E, R>;
  readonly isWritten: (item: Item) => Effect.Effect<boolean, E2, R2>;
  readonly changed: Effect.Effect<void>;
}) {
  let written = 0;
  for (let moment = 0; moment < MOMENTS; moment++) {
    // Each node of a suite may have kept a wake-up.
    while (yield* isDone(options.changed));
    const item = yield* options.newItem;
    const writing = yield* Effect.forkChild(options.write(item), { startImmediately: true });
    for (let step = 0; step < moment; step++) yield* Effect.promise(() => Promise.resolve());
    yield* Fiber.interrupt(writing);
    if (!(yield* options.isWritten(item))) continue;
    written++;
    assert.isTrue(yield* isDone(options.changed), `the write was interrupted after ${moment} steps`);
  }
  assert.isAbove(written, 0);
});
