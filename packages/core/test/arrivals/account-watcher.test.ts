import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Metric } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { AccountWatcher } from "../../src/arrivals/AccountWatcher.ts";
import { InboxFollower } from "../../src/arrivals/InboxFollower.ts";
import { AccountId, type Lease, StoreUnavailable } from "../../src/shared/index.ts";
import { type AccountWatch, AccountWatches, SenderBlocks } from "../../src/watch/index.ts";
import type { ClaimedWatch } from "../../src/watch/neighbours.ts";
import { Endpoints } from "../../src/webhooks/index.ts";
import { numberedIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const [A, B, C] = ["a@x.test", "b@x.test", "c@x.test"].map((address) => AccountId(address)) as [
  AccountId,
  AccountId,
  AccountId,
];
const watchOf = (account: AccountId, epoch = 1): AccountWatch => ({ account, epoch });

/** A node of the cluster, with the watches that it holds and may claim, and a record of its actions. */
const world = (isOursAlone = false) => {
  const state = {
    nodes: 1,
    accounts: 0,
    held: Array<AccountWatch>(),
    free: Array<ClaimedWatch>(),
    ending: Array<AccountId>(),
    prolonged: [A, B, C] as ReadonlyArray<AccountId>,
    isDown: false,
    leases: Array<Lease>(),
    beats: Array<Lease>(),
    claims: Array<number>(),
    did: Array<string>(),
    following: new Set<string>(),
    begun: Array<ClaimedWatch>(),
  };
  const note = (what: string) => Effect.sync(() => void state.did.push(what));
  const layer = AccountWatcher.layer.pipe(
    Layer.provide([
      Layer.mock(AccountWatches, {
        isOursAlone,
        changed: Effect.never,
        renew: (lease) => Effect.sync(() => (state.leases.push(lease), state.held)),
        beat: (_, lease) =>
          Effect.sync(() => (state.beats.push(lease), { nodes: state.nodes, accounts: state.accounts })),
        claim: (_, __, limit) =>
          Effect.sync(() => {
            state.claims.push(limit);
            const claimed = state.free.splice(0, limit);
            state.held = [...state.held, ...claimed.map(({ account, epoch }) => ({ account, epoch }))];
            return claimed;
          }),
        release: (accounts) => note(`release ${accounts.join()}`),
        findEnding: (_, until) =>
          Effect.andThen(
            note(`ending by ${until - NOW}`),
            Effect.sync(() => state.ending),
          ),
        extend: (account) => Effect.sync(() => state.prolonged.includes(account)),
        end: (accounts, _, by) => note(`end ${accounts.join()} by ${by - NOW}`),
        leave: () =>
          Effect.andThen(
            note("leave"),
            Effect.suspend(() => (state.isDown ? Effect.fail(new StoreUnavailable({ detail: "away" })) : Effect.void)),
          ),
      }),
      Layer.succeed(InboxFollower, {
        follow: (_, watch) => {
          const name = `${watch.account} ${watch.epoch}`;
          return Effect.acquireUseRelease(
            Effect.sync(() => (state.begun.push(watch), state.following.add(name))),
            () => Effect.never,
            () => Effect.sync(() => state.following.delete(name)),
          );
        },
      }),
      Layer.mock(AccountDirectory, { find: () => Effect.succeedNone }),
      Layer.mock(SenderBlocks, { list: () => Effect.succeed([]) }),
      Layer.mock(Endpoints, { list: () => Effect.succeed([]), isReached: () => Effect.succeed(true) }),
      numberedIds,
    ]),
  );
  return { state, layer };
};

/** Runs a pass, and lets the watches that it began start. */
const pass = Effect.gen(function* () {
  const { runDue } = yield* AccountWatcher;
  const claimed = yield* runDue;
  yield* TestClock.adjust("1 millis");
  return claimed;
});

describe("a node", () => {
  it.effect("claims its share of the accounts, and follows those it had and those it claimed [S9.4-2]", () => {
    const { state, layer } = world();
    Object.assign(state, { nodes: 2, accounts: 5, held: [watchOf(A, 4)] });
    state.free = [{ ...watchOf(B), isFirst: true }];
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      assert.strictEqual(yield* pass, 1);
      assert.deepStrictEqual(state.claims, [2]);
      assert.deepStrictEqual(state.begun, [
        { account: A, epoch: 4, isFirst: false },
        { account: B, epoch: 1, isFirst: true },
      ]);
      assert.strictEqual(yield* pass, 0);
      assert.strictEqual(state.begun.length, 2);
      state.accounts = 4;
      yield* pass;
      assert.deepStrictEqual(state.claims, [2, 1]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("stops the watches that it lost, and releases those above its share", () => {
    const { state, layer } = world();
    Object.assign(state, { accounts: 3, held: [watchOf(A), watchOf(B), watchOf(C)] });
    return Effect.gen(function* () {
      yield* pass;
      assert.deepStrictEqual([...state.following], [`${A} 1`, `${B} 1`, `${C} 1`]);
      state.held = [watchOf(A), watchOf(B, 2)];
      yield* pass;
      assert.deepStrictEqual([...state.following], [`${A} 1`, `${B} 2`]);
      assert.notInclude(state.did.join(), "release");
      Object.assign(state, { nodes: 2, accounts: 2 });
      yield* pass;
      assert.deepStrictEqual([...state.following], [`${A} 1`]);
      assert.include(state.did, `release ${B}`);
    }).pipe(Effect.provide(layer));
  });

  it.effect("says how many accounts it watches, from none on", () => {
    const { state, layer } = world();
    const watched = Effect.map(Metric.snapshot, (all) => {
      const found = all.find(({ id }) => id === "watched_accounts");
      return found?.type === "Gauge" ? found.state.value : undefined;
    });
    Object.assign(state, { accounts: 2, held: [watchOf(A), watchOf(B)] });
    return Effect.gen(function* () {
      yield* AccountWatcher;
      assert.strictEqual(yield* watched, 0);
      yield* pass;
      assert.strictEqual(yield* watched, 2);
    }).pipe(Effect.provide(layer), Effect.provideService(Metric.MetricRegistry, new Map()));
  });

  it.effect("holds its leases for five seconds beside other nodes, and for good alone", () =>
    Effect.gen(function* () {
      for (const [isAlone, lease] of [
        [false, 5_000],
        [true, 1e13],
      ] as const) {
        const { state, layer } = world(isAlone);
        yield* TestClock.setTime(NOW);
        yield* Effect.provide(pass, layer);
        assert.deepStrictEqual([state.leases[0]!.until, state.beats[0]!.until], [NOW + lease, NOW + 5_000]);
        assert.strictEqual(state.leases[0]!.token, state.beats[0]!.token);
      }
    }),
  );

  it.effect("extends watches that end within half a minute if there is a reason, and ends the others", () => {
    const { state, layer } = world();
    Object.assign(state, { ending: [A, B], prolonged: [A] });
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      yield* pass;
      assert.deepStrictEqual(state.did, ["ending by 30000", `end ${B} by 0`]);
      state.prolonged = [A, B];
      yield* TestClock.setTime(NOW);
      yield* pass;
      assert.deepStrictEqual(state.did.slice(2), ["ending by 30000"]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("ends a watch that it took over only after the time that a stream has to extend it [S7.4-9]", () => {
    const { state, layer } = world();
    Object.assign(state, { accounts: 1, ending: [A], prolonged: [] });
    state.free = [{ ...watchOf(A), isFirst: false }];
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      yield* pass;
      yield* TestClock.setTime(NOW + 59_999);
      yield* pass;
      assert.notInclude(state.did.join(), "end a");
      yield* TestClock.setTime(NOW + 60_000);
      yield* pass;
      assert.include(state.did, `end ${A} by 60000`);
    }).pipe(Effect.provide(layer));
  });

  it.effect("stops all of its watches at once when it leaves, once, and begins no other", () => {
    const { state, layer } = world();
    Object.assign(state, { accounts: 1, held: [watchOf(A)] });
    return Effect.gen(function* () {
      const { stop, drain } = yield* AccountWatcher;
      yield* pass;
      yield* stop;
      assert.deepStrictEqual([...state.following], []);
      yield* drain("1 second");
      assert.strictEqual(state.did.filter((what) => what === "leave").length, 1);
      assert.strictEqual(yield* pass, 0);
      assert.strictEqual(state.leases.length, 1);
    }).pipe(Effect.provide(layer));
  });

  it.effect("can leave while the store is down, because leases expire by themselves", () => {
    const { state, layer } = world();
    state.isDown = true;
    return Effect.gen(function* () {
      yield* (yield* AccountWatcher).stop;
      assert.include(state.did, "leave");
    }).pipe(Effect.provide(layer));
  });
});

describe("the passes of a node", () => {
  const passesIn = (isAlone: boolean, held: ReadonlyArray<AccountWatch>, hasLeft = false) => {
    const { state, layer } = world(isAlone);
    Object.assign(state, { accounts: held.length, held: [...held] });
    return Effect.gen(function* () {
      const { run, stop } = yield* AccountWatcher;
      if (hasLeft) yield* stop;
      const fiber = yield* Effect.forkChild(run);
      yield* TestClock.adjust("1 millis");
      const before = state.leases.length;
      yield* TestClock.adjust("60 seconds");
      yield* Fiber.interrupt(fiber);
      return [before, state.leases.length - before];
    }).pipe(Effect.provide(layer));
  };

  it.effect("come every second beside other nodes", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* passesIn(false, []), [1, 60]);
    }),
  );

  it.effect(
    "come every half minute while it is alone and watches accounts, and only on changes while it watches none",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* passesIn(true, [watchOf(A)]), [1, 2]);
        assert.deepStrictEqual(yield* passesIn(true, []), [1, 0]);
      }),
  );

  it.effect("end when it leaves", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* passesIn(false, [], true), [0, 0]);
    }),
  );
});
