import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { AccountWatches } from "@postern/core/watch";
import { Effect, Fiber, type Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { assertWakesAlthoughInterrupted } from "../assert-wakes-although-interrupted.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const T = 1_900_000_000_000;
const node = () => globalThis.crypto.randomUUID();

/** The contract of `AccountWatches` (spec 7). */
export const accountWatchesContract = (name: string, live: Layer.Layer<AccountWatches, unknown>) =>
  layer(live)(name, (it) => {
    /** Returns accounts for one test, because suites share a store. */
    const own = Effect.gen(function* () {
      const watches = yield* AccountWatches;
      const accounts = [yield* freshAccount, yield* freshAccount, yield* freshAccount];
      const mine = <A extends { readonly account: AccountId }>(all: ReadonlyArray<A>) =>
        all.filter(({ account }) => accounts.includes(account)).toSorted((a, b) => (a.account < b.account ? -1 : 1));
      const names = (all: ReadonlyArray<{ readonly account: AccountId }>) => mine(all).map(({ account }) => account);
      return { watches, accounts: accounts.toSorted(), mine, names };
    });

    it.effect("adds an account once, and extends only an existing watch", () =>
      Effect.gen(function* () {
        const { watches, accounts } = yield* own;
        assert.isFalse(yield* watches.extend(accounts[0]!, T));
        assert.isTrue(yield* watches.add(accounts[0]!, T));
        assert.isFalse(yield* watches.add(accounts[0]!, T + 5));
        assert.isTrue(yield* watches.extend(accounts[0]!, T - 5));
        assert.deepStrictEqual(yield* watches.selectWatched(accounts), new Set([accounts[0]!]));
        assert.deepStrictEqual(yield* watches.selectWatched([]), new Set());
        const me = node();
        yield* watches.claim(T, { token: me, until: T + 10 }, 1_000);
        assert.notInclude(yield* watches.findEnding(me, T + 4), accounts[0]);
        assert.include(yield* watches.findEnding(me, T + 5), accounts[0]);
        yield* watches.leave(me);
      }),
    );

    it.effect("leases each account to one node until the lease expires or is released [S9.4-1]", () =>
      Effect.gen(function* () {
        const { watches, accounts, mine, names } = yield* own;
        for (const account of accounts) yield* watches.add(account, T);
        const nodes = Array.from({ length: 4 }, node);
        const claims = yield* Effect.forEach(nodes, (me) => watches.claim(T, { token: me, until: T + 10 }, 1_000), {
          concurrency: "unbounded",
        });
        assert.deepStrictEqual(names(claims.flat()), accounts, "each account has exactly one node");
        const other = node();
        assert.deepStrictEqual(names(yield* watches.claim(T + 9, { token: other, until: T + 20 }, 1_000)), []);
        const [winner, won] = nodes
          .map((me, n) => [me, mine(claims[n]!)] as const)
          .find(([, claimed]) => claimed.length > 0)!;
        const held = won.map(({ account, epoch }) => ({ account, epoch }));
        assert.deepStrictEqual(mine(yield* watches.renew({ token: winner, until: T + 30 })), held);
        assert.isTrue(yield* watches.holds(won[0]!, winner));
        const taken = mine(yield* watches.claim(T + 10, { token: other, until: T + 40 }, 1_000));
        assert.notIncludeMembers(names(taken), names(won));
        yield* watches.release([won[0]!.account], winner);
        assert.isFalse(yield* watches.holds(won[0]!, winner));
        const [again] = mine(yield* watches.claim(T + 11, { token: winner, until: T + 40 }, 1_000));
        assert.strictEqual(again!.account, won[0]!.account);
        assert.isAbove(again!.epoch, won[0]!.epoch, "an epoch is never had twice");
        assert.isFalse(yield* watches.holds(won[0]!, winner));
        for (const one of [...nodes, other]) yield* watches.leave(one);
        assert.deepStrictEqual(names(yield* watches.claim(T, { token: other, until: T }, 1_000)), accounts);
        yield* watches.leave(other);
      }),
    );

    it.effect("says which watches no node had before, and claims them last", () =>
      Effect.gen(function* () {
        const { watches, accounts, mine } = yield* own;
        const [added, , had] = accounts as [AccountId, AccountId, AccountId];
        const [one, other] = [node(), node()];
        /** Claims accounts one by one until none is left. */
        const claimAll = Effect.gen(function* () {
          const claimed: Array<readonly [AccountId, boolean]> = [];
          for (;;) {
            const [watch] = yield* watches.claim(T + 20, { token: other, until: T + 30 }, 1);
            if (watch === undefined) return claimed.filter(([account]) => accounts.includes(account));
            claimed.push([watch.account, watch.isFirst]);
          }
        });
        yield* watches.add(had, T);
        const first = mine(yield* watches.claim(T, { token: one, until: T + 10 }, 1_000));
        assert.deepStrictEqual(
          first.map(({ account, isFirst }) => [account, isFirst]),
          [[had, true]],
        );
        yield* watches.add(added, T);
        assert.deepStrictEqual(yield* claimAll, [
          [had, false],
          [added, true],
        ]);
        yield* watches.leave(other);
        yield* watches.erase(had);
        yield* watches.add(had, T);
        assert.deepStrictEqual(yield* claimAll, [
          [added, false],
          [had, true],
        ]);
        for (const token of [one, other]) yield* watches.leave(token);
      }),
    );

    it.effect("ends only watches whose time is over, and erases an account", () =>
      Effect.gen(function* () {
        const { watches, accounts, names } = yield* own;
        const me = node();
        yield* watches.add(accounts[0]!, T);
        yield* watches.add(accounts[1]!, T + 1);
        yield* watches.add(accounts[2]!, T);
        yield* watches.claim(T, { token: me, until: T + 10 }, 1_000);
        yield* watches.extend(accounts[2]!, T + 9);
        yield* watches.end(accounts, me, T);
        assert.deepStrictEqual(names(yield* watches.renew({ token: me, until: T + 10 })), accounts.slice(1));
        yield* watches.end(accounts, node(), T + 99);
        yield* watches.erase(accounts[1]!);
        assert.deepStrictEqual(names(yield* watches.renew({ token: me, until: T + 10 })), accounts.slice(2));
        assert.isTrue(yield* watches.add(accounts[0]!, T));
        yield* watches.leave(me);
      }),
    );

    it.effect("wakes nodes when a watch ends, but not if its time is not over", () =>
      Effect.gen(function* () {
        const { watches, accounts } = yield* own;
        const isWoken = Effect.gen(function* () {
          const waiting = yield* Effect.forkChild(watches.changed);
          for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow;
          const woken = waiting.pollUnsafe() !== undefined;
          yield* Fiber.interrupt(waiting);
          return woken;
        });
        // The effect waits more often than a suite has nodes, because each node may have kept one earlier wake-up.
        const areWoken = Effect.map(Effect.replicateEffect(isWoken, 5), (all) => all.includes(true));
        const me = node();
        yield* watches.add(accounts[0]!, T + 10);
        yield* watches.claim(T, { token: me, until: T + 99 }, 1_000);
        yield* areWoken;
        yield* watches.end(accounts, me, T + 9);
        assert.isFalse(yield* areWoken, "it would be checked again at once, until its time is over");
        yield* watches.end(accounts, me, T + 10);
        assert.isTrue(yield* areWoken);
        yield* watches.leave(me);
      }),
    );

    it.effect("wakes a waiting node when an account can be claimed", () =>
      Effect.gen(function* () {
        const { watches, accounts } = yield* own;
        const waiting = yield* Effect.forkChild(watches.changed);
        yield* watches.add(accounts[0]!, T);
        yield* Fiber.join(waiting);
      }),
    );

    it.effect("wakes a waiting node although the caller that added the watch was interrupted", () =>
      Effect.gen(function* () {
        const watches = yield* AccountWatches;
        yield* assertWakesAlthoughInterrupted({
          newItem: freshAccount,
          write: (account) => watches.add(account, T),
          isWritten: (account) => Effect.map(watches.selectWatched([account]), (all) => all.size === 1),
          changed: watches.changed,
        });
      }),
    );

    it.effect("wakes no node when no watch ends", () =>
      Effect.gen(function* () {
        const { watches, accounts } = yield* own;
        const me = node();
        yield* watches.add(accounts[0]!, T);
        yield* watches.claim(T, { token: me, until: T + 10 }, 1_000);
        const isWoken = TestClock.withLive(
          Effect.map(Effect.timeoutOption(watches.changed, "100 millis"), Option.isSome),
        );
        while (yield* isWoken);
        yield* watches.end(accounts, me, T - 1);
        assert.isFalse(yield* isWoken);
        yield* watches.end(accounts, me, T);
        assert.isTrue(yield* isWoken);
      }),
    );
  });

/** The contract of `AccountWatches` with several nodes. */
export const watchNodesContract = (name: string, live: Layer.Layer<AccountWatches, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("counts the nodes with a recent heartbeat [S9.4-3]", () =>
      Effect.gen(function* () {
        const watches = yield* AccountWatches;
        const [one, other] = [node(), node()];
        const account = yield* freshAccount;
        yield* watches.add(account, T);
        assert.strictEqual((yield* watches.beat(T, { token: one, until: T + 10 })).nodes, 1);
        const both = yield* watches.beat(T + 5, { token: other, until: T + 15 });
        assert.strictEqual(both.nodes, 2);
        assert.isAtLeast(both.accounts, 1);
        assert.strictEqual((yield* watches.beat(T + 10, { token: other, until: T + 20 })).nodes, 1);
        yield* watches.beat(T + 11, { token: one, until: T + 21 });
        yield* watches.leave(one);
        assert.strictEqual((yield* watches.beat(T + 11, { token: other, until: T + 21 })).nodes, 1);
        yield* watches.leave(other);
      }),
    );
  });
