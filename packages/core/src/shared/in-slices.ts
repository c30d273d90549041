import { Effect } from "effect";

/** The number of rows deleted per transaction. A transaction of this size takes a few milliseconds. Meanwhile, every other query of the embedded database waits. */
export const ROWS_AT_ONCE = 50;

/** The approximate number of turns of the event loop that a request takes. */
const TURNS_PER_REQUEST = 16;

/** Lets other fibers run between two slices of long work. */
export const yieldToOthers = Effect.repeat(Effect.yieldNow, { times: TURNS_PER_REQUEST });

/** Repeats a slice of work until it returns false, and yields to other fibers after each slice. */
export const inSlices = <E, R>(slice: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while (yield* slice) yield* yieldToOthers;
  });
