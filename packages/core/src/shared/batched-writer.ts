import { Effect, type Scope } from "effect";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** What is written in batches, and how. */
export interface BatchedWrites<A> {
  readonly name: string;
  /** Items written at once. */
  readonly mostAtOnce: number;
  /** Items that may wait; those beyond are dropped. */
  readonly mostWaiting: number;
  /** Where it fails, that is logged, and the batch is lost. */
  readonly write: (batch: ReadonlyArray<A>) => Effect.Effect<void, StoreUnavailable>;
}

/**
 * Returns a function that hands an item over to be written and does not wait for it. Items that come while a batch is
 * written share the next one. The fiber that writes belongs to the scope; it starts with the first item and ends once none
 * waits, so that building this starts nothing. Not to be called in a transaction, which the fiber would inherit.
 */
export const batchedWriter = Effect.fnUntraced(function* <A>({
  name,
  mostAtOnce,
  mostWaiting,
  write,
}: BatchedWrites<A>): Effect.fn.Return<(item: A) => Effect.Effect<void>, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  const waiting: Array<A> = [];
  let writing = false;

  const writeWaiting = Effect.gen(function* () {
    for (;;) {
      const batch = waiting.splice(0, mostAtOnce);
      if (batch.length === 0) return void (writing = false);
      yield* Effect.catchCause(write(batch), (cause) => Effect.logWarning(`${name}: a batch was not written`, cause));
    }
  });

  return (item) =>
    Effect.suspend(() => {
      if (waiting.length < mostWaiting) waiting.push(item);
      if (writing) return Effect.void;
      writing = true;
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(writeWaiting), scope));
    });
});
