import { Clock, Effect, Queue, type Scope } from "effect";
import type { Signals } from "./Engine.ts";

/** The longest that something due goes unnoticed by a process that was not woken, in milliseconds. */
const LONGEST_SLEEP = 5_000;

/** Wakes the worker that sleeps until something of one kind is due. */
export interface WakeUp {
  /**
   * To be called when something becomes due at this time (epoch ms), earlier than the others may know. Other processes
   * are woken where it is due before they look by themselves. Inside a transaction it takes effect once that has
   * committed, because the row is not visible before.
   */
  readonly wake: (dueAt: number) => Effect.Effect<void>;
  /** Waits until it is time to look: a wake-up arrived or may have been missed, or 5 seconds passed. */
  readonly changed: Effect.Effect<void>;
}

/**
 * A wake-up for each name, such as that of a table. A queue calls `wake` wherever it inserts a row or makes one due
 * earlier, and has its worker sleep until the next row is due or `changed` ends, whichever comes first; `leasedQueue`
 * does both for its table. A worker woken while it works does not sleep the next time. One sleeper for each name.
 *
 * On a database of several processes a fiber of its own sends wake-ups to the others: many at a time become one, and no
 * commit waits for it. A sleeper that says until when (epoch ms) it sleeps is not woken here for what is due
 * later; it says Infinity while it is looking.
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
      if (signals === undefined || dueAt > (yield* Clock.currentTimeMillis) + LONGEST_SLEEP) return;
      unsent.add(name);
      Queue.offerUnsafe(toSend, undefined);
    });
    const opened = Queue.take(latch);
    return {
      wake: (dueAt) => afterCommit(wake(dueAt)),
      changed: signals === undefined ? opened : Effect.raceFirst(opened, Effect.sleep(LONGEST_SLEEP)),
    };
  };
});
