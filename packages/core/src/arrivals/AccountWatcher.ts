import { Clock, Context, Duration, Effect, FiberMap, Layer, Metric, Semaphore } from "effect";
import { type AccountId, Entropy, type Lease } from "../shared/index.ts";
import { repeatSteps, type Worker } from "../shared/neighbours.ts";
import { AccountWatches } from "../watch/index.ts";
import { type ClaimedWatch, WATCHED_FOR } from "../watch/neighbours.ts";
import { InboxFollower } from "./InboxFollower.ts";
import { watchPlan } from "./watch-plan.ts";
import { prolongWatch, watchReasons } from "./watch-reasons.ts";

/** A node without a heartbeat for this long counts as dead, in milliseconds. */
const LEASE_MILLIS = 5_000;
const BEAT_MILLIS = 1_000;
/** The heartbeat of a single node. Its leases never expire, so the heartbeat only finds watches whose time is over. */
const ALONE_BEAT_MILLIS = 30_000;
const ALONE_LEASE_MILLIS = 1e13;
/** A watch that ends within this time is extended if there is a reason to watch the account. */
const ENDING_MILLIS = 30_000;

const watched = Metric.gauge("watched_accounts", { description: "Accounts that this process watches" });

/**
 * Watches this node's share of the accounts (spec 7): claims accounts that no node watches, releases accounts above its
 * share, and follows each of its accounts. On stop it releases all its accounts at once. `AccountWatcher` is not a
 * `leasedWorker`, because a watch has no due time and does not end. A node claims accounts up to its share, not up to a
 * number of free slots, and renews all its leases in one statement under one token. An epoch fences the writes of each
 * watch, because a node may lose an account and get the account again.
 */
export class AccountWatcher extends Context.Service<AccountWatcher, Worker>()("@postern/core/arrivals/AccountWatcher") {
  static readonly layer = Layer.effect(
    AccountWatcher,
    Effect.gen(function* () {
      const watches = yield* AccountWatches;
      const following = yield* InboxFollower;
      const reasons = yield* watchReasons;
      const node = yield* (yield* Entropy).id(96);
      const fibers = yield* FiberMap.make<AccountId>();
      const epochs = new Map<AccountId, number>();
      const begunAt = new Map<AccountId, number>();
      const turn = yield* Semaphore.make(1);
      const leaseMillis = watches.isOursAlone ? ALONE_LEASE_MILLIS : LEASE_MILLIS;
      let hasLeft = false;
      yield* Metric.update(watched, 0);

      const begin = (watch: ClaimedWatch, now: number) => {
        epochs.set(watch.account, watch.epoch);
        begunAt.set(watch.account, now);
        return FiberMap.run(fibers, watch.account, following.follow(node, watch));
      };
      const stop = (account: AccountId) => {
        epochs.delete(account);
        begunAt.delete(account);
        return FiberMap.remove(fibers, account);
      };

      /**
       * Extends the watches that end soon if there is a reason, and ends the watches whose time is over. A watch that
       * this node took over gets its full time again, because no stream could extend the watch while no node ran.
       */
      const judgeEnding = Effect.fnUntraced(function* (now: number) {
        const isJudged = (account: AccountId) => now - (begunAt.get(account) ?? 0) >= Duration.toMillis(WATCHED_FOR);
        const ending = (yield* watches.findEnding(node, now + ENDING_MILLIS)).filter(isJudged);
        const over = yield* Effect.filter(ending, (account) =>
          Effect.map(prolongWatch(reasons, account, now), (prolonged) => !prolonged),
        );
        if (over.length > 0) yield* watches.end(over, node, now);
      });

      const pass = Effect.gen(function* () {
        if (hasLeft) return 0;
        const now = yield* Clock.currentTimeMillis;
        const lease: Lease = { token: node, until: now + leaseMillis };
        // Leases are renewed first, because each later statement may wait for a database connection while leases
        // expire.
        const held = yield* watches.renew(lease);
        const { nodes, accounts } = yield* watches.beat(now, { token: node, until: now + LEASE_MILLIS });
        const plan = watchPlan(epochs, held, accounts, nodes);
        for (const account of plan.stop) yield* stop(account);
        if (plan.release.length > 0) yield* watches.release(plan.release, node);
        const claimed = plan.claim > 0 ? yield* watches.claim(now, lease, plan.claim) : [];
        for (const watch of plan.begin) yield* begin({ ...watch, isFirst: false }, now);
        for (const watch of claimed) yield* begin(watch, now);
        yield* Metric.update(watched, epochs.size);
        // The end of a watch wakes the next pass, which stops following the account.
        yield* judgeEnding(now);
        return claimed.length;
      }).pipe(turn.withPermits(1), Effect.withSpan("AccountWatcher.pass"));

      const asleep = Effect.suspend(() => {
        if (hasLeft) return Effect.never;
        const beat = watches.isOursAlone ? (epochs.size > 0 ? ALONE_BEAT_MILLIS : undefined) : BEAT_MILLIS;
        return beat === undefined ? watches.changed : Effect.raceFirst(watches.changed, Effect.sleep(beat));
      });
      const leave = Effect.gen(function* () {
        if (hasLeft) return;
        hasLeft = true;
        yield* FiberMap.clear(fibers);
        epochs.clear();
        begunAt.clear();
        yield* watches.leave(node);
      }).pipe(
        turn.withPermits(1),
        Effect.catch((error) => Effect.logWarning("releasing the watches failed", error)),
        Effect.uninterruptible,
      );

      return AccountWatcher.of({
        name: "account watches",
        runDue: pass,
        run: repeatSteps("account watches", Effect.andThen(pass, asleep)),
        stop: leave,
        drain: () => leave,
        nextDue: Effect.succeedNone,
      });
    }),
  );
}
