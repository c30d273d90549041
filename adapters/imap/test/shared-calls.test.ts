import { assert, it } from "@effect/vitest";
import { Deferred, Effect, Exit, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { sharedCalls } from "../src/session/shared-calls.ts";

/** Calls that wait for their turn before their request; each returns the number of its turn. */
const waitingCalls = Effect.gen(function* () {
  const turns: Array<Deferred.Deferred<void>> = [];
  const asked: Array<Deferred.Deferred<void, string>> = [];
  const state = { interrupted: 0 };
  const ask = sharedCalls(yield* Effect.scope, (_: string, begins) =>
    Effect.gen(function* () {
      const n = turns.push(Deferred.makeUnsafe()) - 1;
      asked.push(Deferred.makeUnsafe());
      yield* Deferred.await(turns[n]!);
      yield* begins;
      yield* Deferred.await(asked[n]!);
      return n;
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => void state.interrupted++))),
  );
  const come = Effect.forkChild(ask("account"), { startImmediately: true });
  const begin = (n: number) => Effect.andThen(Deferred.succeed(turns[n]!, undefined), Effect.yieldNow);
  const answer = (n: number) => Deferred.succeed(asked[n]!, undefined);
  const fail = (n: number) => Deferred.fail(asked[n]!, "broken");
  return { ask, come, begin, answer, fail, calls: () => turns.length, state };
});

it.effect("shares a call among callers that arrive before it begins, not with later callers [S5.1-8]", () =>
  Effect.gen(function* () {
    const { come, begin, answer, calls } = yield* waitingCalls;
    const early = [yield* come, yield* come, yield* come];
    assert.strictEqual(calls(), 1);
    yield* begin(0);
    const late = [yield* come, yield* come];
    assert.strictEqual(calls(), 1);
    yield* answer(0);
    assert.deepStrictEqual(yield* Effect.forEach(early, Fiber.join), [0, 0, 0]);
    assert.strictEqual(calls(), 2);
    yield* begin(1);
    yield* answer(1);
    assert.deepStrictEqual(yield* Effect.forEach(late, Fiber.join), [1, 1]);
  }),
);

it.effect("waits at most 10 ms for the previous call", () =>
  Effect.gen(function* () {
    const { come, begin, answer, calls } = yield* waitingCalls;
    yield* come;
    yield* begin(0);
    const late = yield* come;
    yield* TestClock.adjust("9 millis");
    assert.strictEqual(calls(), 1);
    yield* TestClock.adjust("1 millis");
    assert.strictEqual(calls(), 2);
    yield* begin(1);
    yield* answer(1);
    assert.strictEqual(yield* Fiber.join(late), 1);
  }),
);

it.effect("does not share calls between accounts", () =>
  Effect.gen(function* () {
    const { ask, come, calls } = yield* waitingCalls;
    yield* come;
    yield* Effect.forkChild(ask("another"), { startImmediately: true });
    assert.strictEqual(calls(), 2);
  }),
);

it.effect("fails all callers of a call, and starts a new call for the next one", () =>
  Effect.gen(function* () {
    const { come, begin, answer, fail } = yield* waitingCalls;
    const callers = [yield* come, yield* come];
    yield* begin(0);
    yield* fail(0);
    for (const caller of callers) assert.deepStrictEqual(yield* Fiber.await(caller), Exit.fail("broken"));
    const next = yield* come;
    yield* begin(1);
    yield* answer(1);
    assert.strictEqual(yield* Fiber.join(next), 1);
  }),
);

it.effect("continues the call when one caller is interrupted, and ends it with the last", () =>
  Effect.gen(function* () {
    const { come, begin, answer, calls, state } = yield* waitingCalls;
    const [first, second] = [yield* come, yield* come];
    yield* Fiber.interrupt(first);
    yield* begin(0);
    yield* answer(0);
    assert.strictEqual(yield* Fiber.join(second), 0);
    for (const caller of [yield* come, yield* come]) yield* Fiber.interrupt(caller);
    assert.strictEqual(state.interrupted, 1);
    const next = yield* come;
    assert.strictEqual(calls(), 3);
    yield* begin(2);
    yield* answer(2);
    assert.strictEqual(yield* Fiber.join(next), 2);
  }),
);
