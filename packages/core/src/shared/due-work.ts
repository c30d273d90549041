import { Clock, Duration, Effect, Latch, Option, Queue, type Scope } from "effect";
import type { Lease } from "./Lease.ts";
import { Entropy } from "./ports/Entropy.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** How long the store is left alone after it failed. */
const AFTER_FAILURE = Duration.seconds(1);

/** Where work waits until it is due, and how it is done. Times in epoch milliseconds. */
export interface DueWork<Item> {
  /** How many are worked on at a time. */
  readonly mostAtOnce: number;
  readonly leaseMillis: number;
  /** Leases what is due, to nobody else. */
  readonly claim: (now: number, lease: Lease, limit: number) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>;
  /** When the next is due. */
  readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
  /** Waits until something may be due earlier than was said. */
  readonly changed: Effect.Effect<void>;
  /** Begins one in a fiber of its own; `ended` runs in any case. */
  readonly start: (item: Item, lease: Lease, ended: Effect.Effect<void>) => Effect.Effect<void>;
}

/** Work that goes on by itself. */
export interface WorkUnderWay {
  /** One pass: claims what is due now, waits until nothing is under way and says how much was claimed. */
  readonly runDue: Effect.Effect<number>;
  /** Claims nothing more. */
  readonly stop: Effect.Effect<void>;
}

/**
 * Works on what is due for as long as the scope lasts (architecture: engine): claims what there is room for, and sleeps
 * until something is due, ends or is rung for.
 */
export const workOnDue = Effect.fnUntraced(function* <Item>({
  mostAtOnce,
  leaseMillis,
  claim: claimItems,
  nextDue,
  changed,
  start,
}: DueWork<Item>): Effect.fn.Return<WorkUnderWay, never, Entropy | Scope.Scope> {
  const entropy = yield* Entropy;
  const ended = yield* Queue.sliding<void>(1);
  const idle = Latch.makeUnsafe(true);
  let running = 0;
  let stopped = false;

  const end = Effect.sync(() => {
    if (--running === 0) idle.openUnsafe();
    Queue.offerUnsafe(ended, undefined);
  });

  const claim = Effect.gen(function* () {
    const room = stopped ? 0 : mostAtOnce - running;
    if (room === 0) return 0;
    const now = yield* Clock.currentTimeMillis;
    const lease = { token: yield* entropy.id(128), until: now + leaseMillis };
    const claimed = yield* claimItems(now, lease, room);
    running += claimed.length;
    if (running > 0) idle.closeUnsafe();
    for (const item of claimed) yield* start(item, lease, end);
    return claimed.length;
  }).pipe(Effect.uninterruptible);

  /** Much of what rings is not due yet: only what is due is worth a claim. */
  const pass = Effect.gen(function* () {
    if (stopped) return yield* Effect.never;
    if (running === mostAtOnce) return yield* Queue.take(ended);
    const due = Option.getOrUndefined(yield* nextDue);
    const now = yield* Clock.currentTimeMillis;
    if (due !== undefined && due <= now && (yield* claim) > 0) return;
    const sleep = due === undefined ? Effect.never : Effect.sleep(Math.max(1, due - now));
    yield* Effect.raceAllFirst([sleep, changed, Queue.take(ended)]);
  }).pipe(
    // Whatever goes wrong once, what is due later is still done.
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning("what is due could not be looked up", cause), Effect.sleep(AFTER_FAILURE)),
    ),
  );
  yield* Effect.forkScoped(Effect.forever(pass));

  const runDue = Effect.gen(function* () {
    const claimed = yield* Effect.orElseSucceed(claim, () => 0);
    yield* idle.await;
    return claimed;
  });
  return { runDue, stop: Effect.sync(() => void (stopped = true)) };
});
