import { assert, describe, it } from "@effect/vitest";
import { Context, Effect, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import { Database } from "../src/index.ts";
import { inMemory } from "./databases.ts";

const database = Effect.map(Layer.build(inMemory), (context) => Context.get(context, Database));

describe("wake-ups where there is one process", () => {
  it.effect("wait for a ring and for nothing else", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      const { ring, rung } = wakeUp("mail");
      const waiting = yield* Effect.forkChild(rung);
      yield* TestClock.adjust("1 day");
      assert.isUndefined(waiting.pollUnsafe());
      yield* ring(0);
      yield* Fiber.join(waiting);
    }),
  );

  it.effect("remember that it rang while nobody waited, once", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      const { ring, rung } = wakeUp("mail");
      yield* Effect.andThen(ring(0), ring(0));
      yield* rung;
      const again = yield* Effect.forkChild(rung);
      yield* Effect.yieldNow;
      assert.isUndefined(again.pollUnsafe());
      yield* Fiber.interrupt(again);
    }),
  );

  it.effect("leave who sleeps alone for what is due after that", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      let until = 1_000;
      const { ring, rung } = wakeUp("mail", () => until);
      const waiting = yield* Effect.forkChild(rung);
      for (const dueAt of [1_000, 2_000]) yield* ring(dueAt);
      yield* Effect.yieldNow;
      assert.isUndefined(waiting.pollUnsafe());
      until = Infinity;
      yield* ring(2_000);
      yield* Fiber.join(waiting);
      until = 1_000;
      yield* ring(999);
      yield* rung;
    }),
  );

  it.effect("wake one that says nothing whenever they ring: what made room is due at no time", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      const { ring, rung } = wakeUp("mail");
      const waiting = yield* Effect.forkChild(rung);
      yield* ring(Infinity);
      yield* Fiber.join(waiting);
    }),
  );

  it.effect("ring when the transaction has committed, and not where it is undone", () =>
    Effect.gen(function* () {
      const { wakeUp, transaction } = yield* database;
      const { ring, rung } = wakeUp("mail");
      const waiting = yield* Effect.forkChild(rung);
      yield* Effect.exit(transaction(Effect.andThen(ring(0), Effect.fail("undone"))));
      yield* transaction(
        Effect.andThen(
          ring(0),
          Effect.sync(() => assert.isUndefined(waiting.pollUnsafe())),
        ),
      );
      yield* Fiber.join(waiting);
    }),
  );
});
