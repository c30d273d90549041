import { Effect } from "effect";

/**
 * Rows that are deleted in one transaction. Everybody waits meanwhile for the one connection of the embedded database:
 * so many rows with what hangs on them take a few milliseconds.
 */
export const ROWS_AT_ONCE = 50;

/** An answer to somebody else takes about so many turns of the event loop. */
const TURNS = 16;

/** Lets others go on between two slices of long work. */
export const yieldToOthers = Effect.repeat(Effect.yieldNow, { times: TURNS });

/** Repeats a slice of work until it answers that nothing is left; others get their turn after each. */
export const inSlices = <E, R>(slice: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while (yield* slice) yield* yieldToOthers;
  });
