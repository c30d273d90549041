import { assert, describe, it } from "@effect/vitest";
import { Entropy, StoreUnavailable } from "../src/shared/index.ts";
import { endUnlessHeld, leasedWorker } from "../src/shared/leased-work.ts";
import { Deferred, Duration, Effect, Fiber, Layer, Option, Queue } from "effect";
import { TestClock } from "effect/testing";
import { counted, ownMetrics } from "./doubles.ts";

const entropy = Layer.succeed(Entropy, { id: () => Effect.succeed("token") } as unknown as Entropy["Service"]);

/** A worker on an array of items, each finished by the test. */
const queue = Effect.fnUntraced(function* (maxAtOnce: number) {
  const waiting: Array<{ readonly name: string; readonly dueAt: number }> = [];
  const begun = new Map<string, Deferred.Deferred<void>>();
  const wakeUps = yield* Queue.sliding<void>(1);
  const state = { isAway: false, isLocked: false, claims: 0, answerMillis: 0, renewed: new Array<number>() };
  /** Items for which the store does not answer a renewal. */
  const unanswered = new Set<string>();
  const leases = new Map<string, string>();
  const interrupted: Array<string> = [];
  const away = Effect.suspend(() =>
    state.isAway ? Effect.fail(new StoreUnavailable({ detail: "away" })) : Effect.void,
  );
  const answer = yield* Deferred.make<void>();
  const worker = yield* leasedWorker<{ readonly name: string; readonly dueAt: number }>({
    name: "test",
    maxAtOnce,
    lease: Duration.seconds(15),
    renewEvery: Duration.seconds(5),
    idOf: ({ name }) => name,
    rows: {
      claim: (now, lease, limit) =>
        Effect.map(away, () => {
          state.claims++;
          const due = state.isLocked ? [] : waiting.filter(({ dueAt }) => dueAt <= now).slice(0, limit);
          for (const one of due) waiting.splice(waiting.indexOf(one), 1);
          for (const { name } of due) leases.set(name, lease.token);
          return due;
        }).pipe(Effect.tap(() => (state.answerMillis === 0 ? Effect.void : Effect.sleep(state.answerMillis)))),
      renew: (ids, { token }) =>
        Effect.map(ids.some((id) => unanswered.has(id)) ? Deferred.await(answer) : away, () => {
          state.renewed.push(ids.length);
          return new Set(ids.filter((id) => leases.get(id) === token));
        }),
      release: (ids, token, now) =>
        Effect.sync(() => {
          for (const name of ids.filter((id) => leases.get(id) === token)) {
            leases.delete(name);
            waiting.push({ name, dueAt: now });
          }
        }),
      nextDue: Effect.map(away, () =>
        waiting.length === 0 ? Option.none() : Option.some(Math.min(...waiting.map(({ dueAt }) => dueAt))),
      ),
      changed: Queue.take(wakeUps),
    },
    work: ({ name }) => {
      const done = Deferred.makeUnsafe<void>();
      begun.set(name, done);
      return Effect.onInterrupt(Deferred.await(done), () => Effect.sync(() => void interrupted.push(name)));
    },
  }).pipe(Effect.provide(entropy));
  yield* Effect.forkScoped(worker.run);
  const settle = Effect.andThen(TestClock.adjust(0), Effect.yieldNow);
  return {
    ...worker,
    state,
    leases,
    unanswered,
    answer,
    waiting,
    interrupted,
    begun,
    add: (name: string, dueAt = 0) =>
      Effect.sync(() => void waiting.push({ name, dueAt })).pipe(
        Effect.andThen(Queue.offer(wakeUps, undefined)),
        Effect.andThen(settle),
      ),
    finish: (name: string) => Effect.andThen(Deferred.succeed(begun.get(name)!, undefined), settle),
  };
});

describe("leasedWorker", () => {
  it.effect("starts items up to the limit, and more as items finish", () =>
    Effect.gen(function* () {
      const { add, begun, finish } = yield* queue(2);
      for (const name of ["a", "b", "c"]) yield* add(name);
      assert.deepStrictEqual([...begun.keys()], ["a", "b"]);
      yield* finish("b");
      assert.deepStrictEqual([...begun.keys()], ["a", "b", "c"]);
    }).pipe(Effect.scoped),
  );

  it.effect("sleeps until an item is due, and claims nothing before [S9.1-2]", () =>
    Effect.gen(function* () {
      const { add, begun, state } = yield* queue(2);
      yield* add("late", 60_000);
      yield* TestClock.adjust(59_999);
      assert.deepStrictEqual([begun.size, state.claims], [0, 0]);
      yield* add("sooner", 59_999);
      assert.deepStrictEqual([...begun.keys()], ["sooner"]);
      yield* TestClock.adjust(1);
      assert.deepStrictEqual([...begun.keys()], ["sooner", "late"]);
    }).pipe(Effect.scoped),
  );

  it.effect("checks again a few times a second while another transaction holds the rows that are due", () =>
    Effect.gen(function* () {
      const { add, begun, state } = yield* queue(2);
      state.isLocked = true;
      yield* add("locked");
      yield* TestClock.adjust(1_000);
      assert.isAtMost(state.claims, 12);
      state.isLocked = false;
      yield* TestClock.adjust(100);
      assert.deepStrictEqual([...begun.keys()], ["locked"]);
    }).pipe(Effect.scoped),
  );

  it.effect("continues once the store is back, and counts the claims that failed", () =>
    Effect.gen(function* () {
      const { add, begun, failingSince, state } = yield* queue(2);
      assert.strictEqual(yield* counted("claim_failures_total"), 0);
      yield* TestClock.adjust(5_000);
      assert.isUndefined(failingSince?.());
      state.isAway = true;
      yield* add("a");
      yield* TestClock.adjust(10_000);
      assert.deepStrictEqual([begun.size, failingSince?.()], [0, 5_000]);
      assert.isAbove((yield* counted("claim_failures_total")) ?? 0, 0);
      state.isAway = false;
      yield* TestClock.adjust(1_000);
      assert.deepStrictEqual([...begun.keys()], ["a"]);
      assert.isUndefined(failingSince?.());
    }).pipe(Effect.scoped, ownMetrics),
  );

  it.effect("runDue waits until all running items have finished", () =>
    Effect.gen(function* () {
      const { add, finish, runDue } = yield* queue(2);
      yield* add("a");
      const pass = yield* Effect.forkChild(runDue);
      yield* TestClock.adjust(1_000);
      assert.isUndefined(pass.pollUnsafe());
      yield* finish("a");
      assert.strictEqual(yield* Fiber.join(pass), 0);
    }).pipe(Effect.scoped),
  );

  it.effect("waits in one pass for an item whose claim is in flight", () =>
    Effect.gen(function* () {
      const { add, begun, finish, runDue, state } = yield* queue(2);
      state.answerMillis = 1_000;
      yield* add("a");
      const pass = yield* Effect.forkChild(runDue);
      yield* TestClock.adjust("10 seconds");
      assert.deepStrictEqual([...begun.keys()], ["a"]);
      assert.isUndefined(pass.pollUnsafe());
      yield* finish("a");
      yield* TestClock.adjust("10 seconds");
      assert.strictEqual(yield* Fiber.join(pass), 0);
    }).pipe(Effect.scoped),
  );

  it.effect("starts nothing when it is built", () =>
    Effect.gen(function* () {
      const claims: Array<number> = [];
      yield* leasedWorker({
        name: "test",
        maxAtOnce: 1,
        lease: Duration.seconds(15),
        renewEvery: Duration.seconds(5),
        idOf: () => "",
        rows: {
          claim: (now) => Effect.sync(() => (claims.push(now), [])),
          renew: () => Effect.succeed(new Set<string>()),
          release: () => Effect.void,
          nextDue: Effect.succeedNone,
          changed: Effect.never,
        },
        work: () => Effect.void,
      }).pipe(Effect.provide(entropy));
      yield* TestClock.adjust("1 hour");
      assert.deepStrictEqual(claims, []);
    }).pipe(Effect.scoped),
  );

  it.effect("renews the leases of running items in one call, and stops when none runs", () =>
    Effect.gen(function* () {
      const { add, finish, state } = yield* queue(3);
      yield* add("a");
      yield* add("b");
      yield* TestClock.adjust("11 seconds");
      assert.deepStrictEqual(state.renewed, [2, 2]);
      yield* finish("a");
      yield* finish("b");
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(state.renewed, [2, 2]);
    }).pipe(Effect.scoped),
  );

  it.effect("interrupts an item whose lease was lost", () =>
    Effect.gen(function* () {
      const { add, interrupted, leases } = yield* queue(2);
      yield* add("a");
      yield* add("b");
      leases.set("a", "another");
      yield* TestClock.adjust("5 seconds");
      assert.deepStrictEqual(interrupted, ["a"]);
    }).pipe(Effect.scoped),
  );

  it.effect("interrupts an item whose row it claims again, and renews the new lease", () =>
    Effect.gen(function* () {
      const { add, state, interrupted, finish } = yield* queue(2);
      yield* add("one");
      yield* add("one");
      assert.deepStrictEqual(interrupted, ["one"]);
      yield* TestClock.adjust("5 seconds");
      assert.deepStrictEqual(state.renewed, [1]);
      yield* finish("one");
    }).pipe(Effect.scoped),
  );

  it.effect("runs an item until its lease expires while the store is down", () =>
    Effect.gen(function* () {
      const { add, interrupted, state } = yield* queue(2);
      yield* add("a");
      state.isAway = true;
      yield* TestClock.adjust("14 seconds");
      assert.deepStrictEqual(interrupted, []);
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(interrupted, ["a"]);
    }).pipe(Effect.scoped),
  );

  it.effect(
    "interrupts an item when its lease ends while the store does not answer, and renews the others [S9.3-4]",
    () =>
      Effect.gen(function* () {
        const { add, adopt, interrupted, unanswered } = yield* queue(2);
        unanswered.add("one");
        const item = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void interrupted.push("one")));
        yield* adopt("one", { token: "of one", until: 15_000 }, () => item);
        yield* add("other");
        yield* TestClock.adjust("14999 millis");
        assert.deepStrictEqual(interrupted, []);
        yield* TestClock.adjust("1 minute");
        assert.deepStrictEqual(interrupted, ["one"]);
      }).pipe(Effect.scoped),
  );

  it.effect("never renews a lease that ended, although its item cannot be interrupted [S9.3-4]", () =>
    Effect.gen(function* () {
      const { adopt, add, interrupted, leases, state } = yield* queue(1);
      const done = yield* Deferred.make<void>();
      leases.set("stuck", "mine");
      state.isAway = true;
      yield* adopt("stuck", { token: "mine", until: 15_000 }, () => Effect.uninterruptible(Deferred.await(done)));
      yield* TestClock.adjust("16 seconds");
      state.isAway = false;
      yield* add("free", 16_000);
      yield* TestClock.adjust("11 seconds");
      assert.deepStrictEqual([state.renewed, interrupted], [[1, 1], []]);
      yield* Deferred.succeed(done, undefined);
    }).pipe(Effect.scoped),
  );

  it.effect("never renews a lease that ended while the renewal of another one waited for its answer [S9.3-4]", () =>
    Effect.gen(function* () {
      const { adopt, answer, leases, state, unanswered } = yield* queue(2);
      const done = yield* Deferred.make<void>();
      const item = () => Effect.uninterruptible(Deferred.await(done));
      unanswered.add("slow");
      leases.set("slow", "first").set("stuck", "second");
      yield* adopt("slow", { token: "first", until: 60_000 }, item);
      yield* adopt("stuck", { token: "second", until: 15_000 }, item);
      yield* TestClock.adjust("6 seconds");
      state.isAway = true;
      yield* TestClock.adjust("10 seconds");
      state.isAway = false;
      yield* Deferred.succeed(answer, undefined);
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(state.renewed, [1], "the lease of slow alone");
      yield* Deferred.succeed(done, undefined);
    }).pipe(Effect.scoped),
  );

  it.effect("ends an item whose check finds that its lease ended", () =>
    Effect.gen(function* () {
      const { adopt, runDue, drain } = yield* queue(1);
      const effects: Array<string> = [];
      const item = (name: string) => (held: Parameters<typeof endUnlessHeld>[0]) =>
        Effect.andThen(
          endUnlessHeld(held),
          Effect.sync(() => void effects.push(name)),
        );
      yield* TestClock.adjust("1 minute");
      yield* adopt("over", { token: "of one", until: 60_000 }, item("over"));
      yield* adopt("held", { token: "of another", until: 60_001 }, item("held"));
      yield* runDue;
      const drained = yield* Effect.forkChild(drain("10 seconds"));
      yield* TestClock.adjust(0);
      assert.isDefined(drained.pollUnsafe());
      assert.deepStrictEqual(effects, ["held"]);
    }).pipe(Effect.scoped),
  );

  it.effect("drain waits for running items and releases those that do not finish in time [S8.2-3]", () =>
    Effect.gen(function* () {
      const { add, begun, drain, finish, interrupted, waiting } = yield* queue(3);
      yield* add("quick");
      yield* add("slow");
      const drained = yield* Effect.forkChild(drain("10 seconds"));
      yield* TestClock.adjust("1 second");
      yield* finish("quick");
      yield* add("new");
      yield* TestClock.adjust("9 seconds");
      yield* Fiber.join(drained);
      assert.deepStrictEqual(interrupted, ["slow"]);
      assert.sameMembers(
        waiting.map(({ name }) => name),
        ["new", "slow"],
      );
      assert.isFalse(begun.has("new"));
    }).pipe(Effect.scoped),
  );

  it.effect("renews an adopted row", () =>
    Effect.gen(function* () {
      const { adopt, leases, state } = yield* queue(1);
      const done = yield* Deferred.make<void>();
      leases.set("mine", "token of mine");
      yield* adopt("mine", { token: "token of mine", until: 15_000 }, () => Deferred.await(done));
      yield* TestClock.adjust("5 seconds");
      assert.deepStrictEqual(state.renewed, [1]);
    }).pipe(Effect.scoped),
  );

  it.effect("claims up to the limit in addition to adopted rows [S6.3-5]", () =>
    Effect.gen(function* () {
      const { add, adopt, begun } = yield* queue(1);
      const lease = { token: "token of mine", until: 15_000 };
      for (const id of ["mine", "yours"]) yield* adopt(id, lease, () => Effect.never);
      yield* add("claimed");
      assert.deepStrictEqual([...begun.keys()], ["claimed"]);
    }).pipe(Effect.scoped),
  );

  it.effect("claims nothing after stop, and lets running items finish", () =>
    Effect.gen(function* () {
      const { add, begun, finish, interrupted, runDue, state, stop } = yield* queue(2);
      yield* add("a");
      yield* stop;
      const { claims } = state;
      yield* add("b");
      yield* TestClock.adjust("1 minute");
      yield* finish("a");
      assert.strictEqual(yield* runDue, 0);
      assert.deepStrictEqual([[...begun.keys()], interrupted, state.claims], [["a"], [], claims]);
    }).pipe(Effect.scoped),
  );
});
