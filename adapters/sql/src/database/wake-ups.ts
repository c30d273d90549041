import { Clock, Effect, Queue, type Scope } from "effect";
import type { Signals } from "./Engine.ts";

/** The maximum time until a process without a wake-up checks for due items, in milliseconds. */
const MAX_SLEEP_MILLIS = 5_000;

/** Wakes a worker that sleeps until an item of one kind is due. */
export interface WakeUp {
  /**
   * Announces that an item is due at this time (epoch ms). The time may be earlier than the due time that the worker
   * knows. Also wakes other processes if the item is due before their next check. Inside a transaction the wake-up
   * takes effect after the commit, because the row is not visible before. Outside a transaction, the query and the
   * wake-up must be uninterruptible together: a single process would sleep beyond an item whose wake-up is missing.
   */
  readonly wake: (dueAt: number) => Effect.Effect<void>;
  /** Waits until it is time to check: a wake-up arrived or may have been missed, or 5 seconds passed. */
  readonly changed: Effect.Effect<void>;
}

/**
 * Returns a wake-up for each name, such as the name of a table. A queue calls `wake` when it inserts a row or makes a
 * row due earlier. The worker of the queue sleeps until the next row is due or `changed` ends. `leasedQueue` calls and
 * waits in this way for its table. A wake-up during work prevents the worker's next sleep. Each name has one sleeping
 * worker.
 *
 * If processes share the database, a fiber merges waiting wake-ups and sends them to the other processes; no commit
 * waits for it. `sleepsUntil` returns the time (epoch ms) until which the worker sleeps, so that later items do not
 * wake it; Infinity while the worker checks.
 */
export const wakeUpsOver = Effect.fnUntraced(function* (
  signals: Signals | undefined,
  afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>,
): Effect.fn.Return<(name: string, sleepsUntil?: () => number) => WakeUp, never, Scope.Scope> {
  const latches = new Map<string, Queue.Queue<void>>();
  const unsent = new Set<string>();
  const toSend = yield* Queue.sliding<void>(1);

  const latchOf = (name: string) => {
    const latch = latches.get(name) ?? Effect.runSync(Queue.sliding<void>(1));
    latches.set(name, latch);
    return latch;
  };
  const open = (latch: Queue.Queue<void>) => void Queue.offerUnsafe(latch, undefined);

  if (signals !== undefined) {
    const send = Effect.gen(function* () {
      yield* Queue.take(toSend);
      const names = [...unsent];
      unsent.clear();
      yield* Effect.forEach(names, signals.send, { discard: true });
    });
    const hear = (name: string | undefined) =>
      name === undefined ? latches.forEach(open) : latches.has(name) && open(latchOf(name));
    yield* Effect.forkScoped(signals.listen(hear));
    yield* Effect.forkScoped(Effect.forever(send));
  }

  return (name, sleepsUntil) => {
    const latch = latchOf(name);
    const wake = Effect.fnUntraced(function* (dueAt: number) {
      if (sleepsUntil === undefined || dueAt < sleepsUntil()) open(latch);
      if (signals === undefined || dueAt > (yield* Clock.currentTimeMillis) + MAX_SLEEP_MILLIS) return;
      unsent.add(name);
      Queue.offerUnsafe(toSend, undefined);
    });
    const opened = Queue.take(latch);
    return {
      wake: (dueAt) => afterCommit(wake(dueAt)),
      changed: signals === undefined ? opened : Effect.raceFirst(opened, Effect.sleep(MAX_SLEEP_MILLIS)),
    };
  };
});
