import { assert, describe, it } from "@effect/vitest";
import { Entropy, StoreUnavailable } from "@postern/core/shared";
import { workOnDue } from "../src/shared/due-work.ts";
import { Deferred, Effect, Fiber, Layer, Option, Queue } from "effect";
import { TestClock } from "effect/testing";

const entropy = Layer.succeed(Entropy, { id: () => Effect.succeed("token") } as unknown as Entropy["Service"]);

/** Work that waits in an array, each to be finished by hand. */
const queue = Effect.fnUntraced(function* (mostAtOnce: number) {
  const waiting: Array<{ readonly name: string; readonly dueAt: number }> = [];
  const begun = new Map<string, Deferred.Deferred<void>>();
  const rung = yield* Queue.sliding<void>(1);
  const state = { isAway: false, claims: 0 };
  const away = Effect.suspend(() =>
    state.isAway ? Effect.fail(new StoreUnavailable({ detail: "away" })) : Effect.void,
  );
  const { runDue, stop } = yield* workOnDue<string>({
    mostAtOnce,
    leaseMillis: 1_000,
    claim: (now, _, limit) =>
      Effect.map(away, () => {
        state.claims++;
        const due = waiting.filter(({ dueAt }) => dueAt <= now).slice(0, limit);
        for (const one of due) waiting.splice(waiting.indexOf(one), 1);
        return due.map(({ name }) => name);
      }),
    nextDue: Effect.map(away, () =>
      waiting.length === 0 ? Option.none() : Option.some(Math.min(...waiting.map(({ dueAt }) => dueAt))),
    ),
    changed: Queue.take(rung),
    start: (name, _, ended) => {
      const done = Deferred.makeUnsafe<void>();
      begun.set(name, done);
      return Effect.asVoid(Effect.forkDetach(Effect.ensuring(Deferred.await(done), ended)));
    },
  }).pipe(Effect.provide(entropy));
  const settle = Effect.andThen(TestClock.adjust(0), Effect.yieldNow);
  return {
    runDue,
    stop,
    state,
    begun,
    add: (name: string, dueAt = 0) =>
      Effect.sync(() => void waiting.push({ name, dueAt })).pipe(
        Effect.andThen(Queue.offer(rung, undefined)),
        Effect.andThen(settle),
      ),
    finish: (name: string) => Effect.andThen(Deferred.succeed(begun.get(name)!, undefined), settle),
  };
});

describe("work on what is due", () => {
  it.effect("begins as much as there is room for, and more as some ends", () =>
    Effect.gen(function* () {
      const { add, begun, finish } = yield* queue(2);
      for (const name of ["a", "b", "c"]) yield* add(name);
      assert.deepStrictEqual([...begun.keys()], ["a", "b"]);
      yield* finish("b");
      assert.deepStrictEqual([...begun.keys()], ["a", "b", "c"]);
    }).pipe(Effect.scoped),
  );

  it.effect("sleeps until something is due, and claims nothing before", () =>
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

  it.effect("goes on once the store is back", () =>
    Effect.gen(function* () {
      const { add, begun, state } = yield* queue(2);
      state.isAway = true;
      yield* add("a");
      yield* TestClock.adjust(10_000);
      assert.strictEqual(begun.size, 0);
      state.isAway = false;
      yield* TestClock.adjust(1_000);
      assert.deepStrictEqual([...begun.keys()], ["a"]);
    }).pipe(Effect.scoped),
  );

  it.effect("waits in one pass until all that is under way has ended", () =>
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

  it.effect("claims nothing more once it is stopped, and lets what is under way end", () =>
    Effect.gen(function* () {
      const { add, begun, finish, runDue, state, stop } = yield* queue(2);
      yield* add("a");
      yield* stop;
      const { claims } = state;
      yield* add("b");
      yield* finish("a");
      yield* TestClock.adjust(60_000);
      assert.strictEqual(yield* runDue, 0);
      assert.deepStrictEqual([[...begun.keys()], state.claims], [["a"], claims]);
    }).pipe(Effect.scoped),
  );
});
