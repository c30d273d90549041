import { Cause, Clock, Duration, Effect, Fiber, Metric, Option, Queue, type Scope, Semaphore } from "effect";
import type { HeldLease, Lease, LeasedRows } from "./Lease.ts";
import { Entropy } from "./ports/Entropy.ts";
import { repeatSteps } from "./repeat-steps.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";
import type { Worker } from "./Worker.ts";

/** The wait before the next claim if rows were skipped because another transaction holds their locks. */
const SKIPPED_MILLIS = 100;

/** The rows and settings of a leased worker. */
export interface LeasedWork<Item> {
  readonly name: string;
  readonly rows: LeasedRows<Item>;
  readonly idOf: (item: Item) => string;
  /** The maximum number of claimed items processed at a time; adopted items are not counted. */
  readonly maxAtOnce: number;
  readonly lease: Duration.Duration;
  readonly renewEvery: Duration.Duration;
  /** Runs before each claim, to handle rows whose lease expired. */
  readonly reap?: (now: number) => Effect.Effect<void, StoreUnavailable>;
  /** The work on one item, interrupted when its lease ends or is lost. */
  readonly work: (item: Item, held: HeldLease) => Effect.Effect<void>;
}

/** A worker on leased rows, which can also adopt rows that were already leased when they were inserted. */
export interface LeasedWorker extends Worker {
  /** Processes a row under a lease that the caller obtained, in addition to the claimed rows. */
  readonly adopt: (id: string, lease: Lease, item: (held: HeldLease) => Effect.Effect<void>) => Effect.Effect<void>;
}

/** Returns whether a lease has not ended yet, according to the clock. */
export const isHeld = (held: HeldLease): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now < held.until);

/**
 * Ends the item like an interruption if the item's lease has ended. An item runs this check immediately before each
 * effect outside the store, because a suspended process may resume at that point before its timers fire (spec 9.3).
 */
export const endUnlessHeld = (held: HeldLease): Effect.Effect<void> =>
  Effect.flatMap(isHeld(held), (isStillHeld) => (isStillHeld ? Effect.void : Effect.interrupt));

interface Running {
  readonly held: HeldLease;
  readonly isAdopted: boolean;
  readonly fiber: Fiber.Fiber<void>;
}

const claimFailures = Metric.counter("claim_failures_total", {
  description: "Claims of a worker that failed",
  incremental: true,
});

/** The end of a lease that will not be renewed. */
const ENDED = -Infinity;

/**
 * Returns a worker on leased rows (spec 9.3). The worker claims items up to its free slots, renews the leases of
 * running items, and interrupts an item whose lease ended or was lost. It sleeps until an item falls due, a running
 * item finishes, or a wake-up arrives. Items run in fibers of the scope.
 */
export const leasedWorker = Effect.fnUntraced(function* <Item>({
  name,
  rows,
  idOf,
  maxAtOnce,
  lease,
  renewEvery,
  reap,
  work,
}: LeasedWork<Item>): Effect.fn.Return<LeasedWorker, never, Entropy | Scope.Scope> {
  const entropy = yield* Entropy;
  const scope = yield* Effect.scope;
  const ended = yield* Queue.sliding<void>(1);
  const running = new Map<string, Running>();
  const turn = yield* Semaphore.make(1);
  const inRenewal = new Set<string>();
  const leaseMillis = Duration.toMillis(lease);
  const renewMillis = Duration.toMillis(renewEvery);
  let stopped = false;
  let renewing = false;
  let failingSince: number | undefined;
  const failures = Metric.withAttributes(claimFailures, { queue: name });
  // A counter must be reported as 0 first, because monitoring sees no increase in a counter that first appears as 1.
  yield* Metric.update(failures, 0);

  /** Interrupts an item without waiting for it, because it may be in a query that does not return. */
  const interrupt = ({ held, fiber }: Running) => {
    held.until = ENDED;
    return Effect.asVoid(Effect.forkIn(Fiber.interrupt(fiber), scope));
  };

  const renew = Effect.fnUntraced(function* (token: string, items: ReadonlyArray<readonly [string, Running]>) {
    const now = yield* Clock.currentTimeMillis;
    const until = now + leaseMillis;
    // Leases may have ended during the renewal of another token.
    const current = items.filter(([, { held }]) => held.until > now);
    if (current.length === 0) return;
    const ids = current.map(([id]) => id);
    const kept = yield* Effect.option(rows.renew(ids, { token, until }));
    if (Option.isNone(kept)) return;
    for (const [id, item] of current) {
      if (item.held.until === ENDED) continue;
      if (kept.value.has(id)) item.held.until = until;
      else yield* interrupt(item);
    }
  });

  /** Renews the leases that have not ended. If the store does not answer a renewal, later renewals of other items are not delayed. */
  const renewAll = Effect.gen(function* () {
    for (const [token, some] of Map.groupBy(running, ([, { held }]) => held.token)) {
      if (inRenewal.has(token)) continue;
      inRenewal.add(token);
      yield* Effect.ensuring(
        renew(token, some),
        Effect.sync(() => inRenewal.delete(token)),
      );
    }
  });

  /** Renews leases, and interrupts each item when its lease ends, whether or not the store answers. */
  const keepWhileRunning = Effect.gen(function* () {
    let renewAt = (yield* Clock.currentTimeMillis) + renewMillis;
    for (;;) {
      const ends = [...running.values()].map(({ held }) => held.until).filter((until) => until !== ENDED);
      const wakeAt = Math.min(renewAt, ...ends);
      yield* Effect.sleep(Math.max(0, wakeAt - (yield* Clock.currentTimeMillis)));
      if (running.size === 0) return void (renewing = false);
      const now = yield* Clock.currentTimeMillis;
      for (const item of running.values()) {
        if (item.held.until <= now && item.held.until !== ENDED) yield* interrupt(item);
      }
      if (now < renewAt) continue;
      renewAt = now + renewMillis;
      yield* Effect.forkIn(renewAll, scope);
    }
  });

  const ofClaims = (): number => [...running.values()].filter(({ isAdopted }) => !isAdopted).length;

  const start = (
    id: string,
    { token, until }: Lease,
    isAdopted: boolean,
    item: (held: HeldLease) => Effect.Effect<void>,
  ) =>
    Effect.gen(function* () {
      const held: HeldLease = { token, until };
      const end = Effect.sync(() => {
        if (running.get(id)?.held === held) running.delete(id);
        Queue.offerUnsafe(ended, undefined);
      });
      // The lease of a running item expired unnoticed, and this worker has claimed the row again.
      const before = running.get(id);
      if (before !== undefined) yield* interrupt(before);
      const fiber = yield* item(held).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError(`${name}: work on an item failed`, cause),
        ),
        Effect.interruptible,
        Effect.ensuring(end),
        Effect.forkIn(scope),
      );
      // The fiber starts when the current one yields, so `running` is set before.
      running.set(id, { held, isAdopted, fiber });
      if (renewing) return;
      renewing = true;
      yield* Effect.forkIn(Effect.interruptible(keepWhileRunning), scope);
    }).pipe(Effect.uninterruptible);

  /** Makes one pass at a time, so that at its end all items of a concurrent pass are in `running`. */
  const pass = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    if (reap !== undefined) yield* reap(now);
    const room = stopped ? 0 : maxAtOnce - ofClaims();
    if (room <= 0) return 0;
    const claim: Lease = { token: yield* entropy.id(128), until: now + leaseMillis };
    const items = yield* rows.claim(now, claim, room);
    if (items.length === 0) return 0;
    for (const item of items) yield* start(idOf(item), claim, false, (held) => work(item, held));
    return items.length;
  }).pipe(Effect.uninterruptible, turn.withPermits(1));

  const runDue = Effect.gen(function* () {
    let claimed = 0;
    for (;;) {
      // An item that finishes during a pass may free a slot after the pass claimed.
      const wasIdle = ofClaims() === 0;
      const more = yield* pass;
      claimed += more;
      if (more === 0 && wasIdle && ofClaims() === 0) return claimed;
      if (more === 0 && ofClaims() > 0) yield* Queue.take(ended);
    }
  });

  /** Claims if an item is due, otherwise sleeps. A wake-up often concerns an item that is due later. */
  const claimOrSleep = Effect.gen(function* () {
    if (stopped) return yield* Effect.never;
    if (ofClaims() >= maxAtOnce) return yield* Queue.take(ended);
    const due = Option.getOrElse(yield* rows.nextDue, () => Infinity);
    const now = yield* Clock.currentTimeMillis;
    if (due <= now && (yield* pass) > 0) return;
    if (due === Infinity) return yield* rows.changed;
    yield* Effect.raceFirst(Effect.sleep(due > now ? due - now : SKIPPED_MILLIS), rows.changed);
  });
  const step = Effect.matchCauseEffect(claimOrSleep, {
    onSuccess: () => Effect.sync(() => void (failingSince = undefined)),
    onFailure: (cause) =>
      Effect.gen(function* () {
        failingSince ??= yield* Clock.currentTimeMillis;
        yield* Metric.update(failures, 1);
        return yield* Effect.failCause(cause);
      }),
  });
  const stop = Effect.sync(() => void (stopped = true));
  const allEnded = Effect.gen(function* () {
    while (running.size > 0) yield* Queue.take(ended);
  });
  const drain = Effect.fn("Worker.drain")(function* (within: Duration.Input) {
    yield* stop;
    yield* Effect.timeoutOption(allEnded, within);
    const left = [...running];
    yield* Fiber.interruptAll(left.map(([, { fiber }]) => fiber));
    const now = yield* Clock.currentTimeMillis;
    for (const [token, some] of Map.groupBy(left, ([, { held }]) => held.token)) {
      const ids = some.map(([id]) => id);
      yield* Effect.ignore(rows.release(ids, token, now));
    }
  });

  const adopt: LeasedWorker["adopt"] = (id, lease, item) => start(id, lease, true, item);

  return {
    name,
    runDue,
    run: repeatSteps(name, step),
    stop,
    drain,
    nextDue: rows.nextDue,
    failingSince: () => failingSince,
    adopt,
  };
});
