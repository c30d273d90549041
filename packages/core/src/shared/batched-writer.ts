import { Effect, type Scope } from "effect";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** A kind of items to write in batches. */
export interface BatchedWrites<A> {
  readonly name: string;
  /** The maximum number of items per batch. */
  readonly maxAtOnce: number;
  /** The maximum number of waiting items; further items are dropped. */
  readonly maxWaiting: number;
  /** Writes a batch; a failure is logged, and the batch is lost. */
  readonly write: (batch: ReadonlyArray<A>) => Effect.Effect<void, StoreUnavailable>;
}

/**
 * Returns a function that queues an item for writing and returns at once. Items that arrive during a write share the
 * next batch. The fiber that writes belongs to the scope. This fiber starts with the first item and ends when no item
 * waits, so building the writer starts nothing. Do not call the function inside a transaction, because the fiber would
 * inherit the transaction.
 */
export const batchedWriter = Effect.fnUntraced(function* <A>({
  name,
  maxAtOnce,
  maxWaiting,
  write,
}: BatchedWrites<A>): Effect.fn.Return<(item: A) => Effect.Effect<void>, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  const waiting: Array<A> = [];
  let writing = false;

  const writeWaiting = Effect.gen(function* () {
    for (;;) {
      const batch = waiting.splice(0, maxAtOnce);
      if (batch.length === 0) return void (writing = false);
      yield* Effect.catchCause(write(batch), (cause) => Effect.logWarning(`${name}: writing a batch failed`, cause));
    }
  });

  return (item) =>
    Effect.suspend(() => {
      if (waiting.length < maxWaiting) waiting.push(item);
      if (writing) return Effect.void;
      writing = true;
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(writeWaiting), scope));
    });
});
