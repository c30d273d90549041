import { Clock, Context, Effect, FiberMap, Layer, Metric, Semaphore } from "effect";
import { type AccountId, Entropy, type Lease, repeatSteps, type Worker } from "../shared/index.ts";
import { type AccountWatch, AccountWatches } from "../watch/index.ts";
import { WatchReasons } from "../webhooks/index.ts";
import { InboxFollower } from "./InboxFollower.ts";
import { watchPlan } from "./watch-plan.ts";

/** A node that does not say that it lives for so long is taken for dead, in milliseconds. */
const LEASE_MILLIS = 5_000;
const BEAT_MILLIS = 1_000;
/** Where no other node can be, leases do not end, and there is only to see whose time is over. */
const ALONE_BEAT_MILLIS = 30_000;
const ALONE_LEASE_MILLIS = 1e13;
/** A watch whose time ends within this is looked at: there may be a reason to go on. */
const ENDING_MILLIS = 30_000;
/** How many accounts begin to be watched at the same time: the first look at a mailbox reads all of it. */
const BEGINNING_AT_ONCE = 16;

const watched = Metric.gauge("watched_accounts", { description: "Accounts that this process watches" });

/**
 * This node's share of the watched accounts (spec 7): takes accounts that no node watches, gives away what is more than its share, and
 * follows each account it has. Told to stop, it gives all of them to the other nodes at once.
 *
 * It is a worker, but no `leasedWorker`: watching an account does not end and falls due at no time. A node claims up to its
 * share and not what there is room for, renews all it holds in one statement, under one token, and what a watch writes is
 * fenced by its epoch, because a node that lost an account may get it again.
 */
export class AccountWatcher extends Context.Service<AccountWatcher, Worker>()("@postern/core/arrivals/AccountWatcher") {
  static readonly layer = Layer.effect(
    AccountWatcher,
    Effect.gen(function* () {
      const watches = yield* AccountWatches;
      const following = yield* InboxFollower;
      const reasons = yield* WatchReasons;
      const node = yield* (yield* Entropy).id(96);
      const fibers = yield* FiberMap.make<AccountId>();
      const epochs = new Map<AccountId, number>();
      const beginning = yield* Semaphore.make(BEGINNING_AT_ONCE);
      const turn = yield* Semaphore.make(1);
      const leaseMillis = watches.isOursAlone ? ALONE_LEASE_MILLIS : LEASE_MILLIS;
      let hasLeft = false;
      yield* Metric.update(watched, 0);

      const begin = (watch: AccountWatch) => {
        epochs.set(watch.account, watch.epoch);
        return FiberMap.run(fibers, watch.account, following.follow(node, watch, beginning.withPermits(1)));
      };
      const stop = (account: AccountId) => {
        epochs.delete(account);
        return FiberMap.remove(fibers, account);
      };

      /** Whose time is nearly over goes on if there is a reason, and ends if it is over. */
      const judgeEnding = Effect.fnUntraced(function* (now: number) {
        const ending = yield* watches.ending(node, now + ENDING_MILLIS);
        const over = yield* Effect.filter(ending, (account) =>
          Effect.map(reasons.prolong(account, now), (prolonged) => !prolonged),
        );
        if (over.length > 0) yield* watches.end(over, node, now);
      });

      const pass = Effect.gen(function* () {
        if (hasLeft) return 0;
        const now = yield* Clock.currentTimeMillis;
        const { nodes, accounts } = yield* watches.beat(now, { token: node, until: now + LEASE_MILLIS });
        yield* judgeEnding(now);
        const lease: Lease = { token: node, until: now + leaseMillis };
        const held = yield* watches.renew(lease);
        const plan = watchPlan(epochs, held, accounts, nodes);
        for (const account of plan.stop) yield* stop(account);
        if (plan.release.length > 0) yield* watches.release(plan.release, node);
        const claimed = plan.claim > 0 ? yield* watches.claim(now, lease, plan.claim) : [];
        for (const watch of [...plan.begin, ...claimed]) yield* begin(watch);
        yield* Metric.update(watched, epochs.size);
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
        yield* watches.leave(node);
      }).pipe(
        turn.withPermits(1),
        Effect.catch((error) => Effect.logWarning("the watches could not be released", error)),
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
