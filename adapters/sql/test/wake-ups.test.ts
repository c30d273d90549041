import { assert, describe, it } from "@effect/vitest";
import { Context, Effect, Exit, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import { Database } from "../src/index.ts";
import { inMemory, inTemporaryFolder } from "./databases.ts";

const database = Effect.map(Layer.build(inMemory), (context) => Context.get(context, Database));

describe("wake-ups if there is one process", () => {
  it.effect("are awaited without a time limit", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      const { wake, changed } = wakeUp("mail");
      const waiting = yield* Effect.forkChild(changed);
      yield* TestClock.adjust("1 day");
      assert.isUndefined(waiting.pollUnsafe());
      yield* wake(0);
      yield* Fiber.join(waiting);
    }),
  );

  it.effect("are kept once if they arrive while no worker waits", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      const { wake, changed } = wakeUp("mail");
      yield* Effect.andThen(wake(0), wake(0));
      yield* changed;
      const again = yield* Effect.forkChild(changed);
      yield* Effect.yieldNow;
      assert.isUndefined(again.pollUnsafe());
      yield* Fiber.interrupt(again);
    }),
  );

  it.effect("do not wake a worker for an item due after its next check", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      let until = 1_000;
      const { wake, changed } = wakeUp("mail", () => until);
      const waiting = yield* Effect.forkChild(changed);
      for (const dueAt of [1_000, 2_000]) yield* wake(dueAt);
      yield* Effect.yieldNow;
      assert.isUndefined(waiting.pollUnsafe());
      until = Infinity;
      yield* wake(2_000);
      yield* Fiber.join(waiting);
      until = 1_000;
      yield* wake(999);
      yield* changed;
    }),
  );

  it.effect("always wake a worker without a time, because freed capacity has no due time", () =>
    Effect.gen(function* () {
      const { wakeUp } = yield* database;
      const { wake, changed } = wakeUp("mail");
      const waiting = yield* Effect.forkChild(changed);
      yield* wake(Infinity);
      yield* Fiber.join(waiting);
    }),
  );

  it.effect("are sent after the commit, and not after a rollback [S9.2-3]", () =>
    Effect.gen(function* () {
      const { wakeUp, transaction } = yield* database;
      const { wake, changed } = wakeUp("mail");
      const waiting = yield* Effect.forkChild(changed);
      yield* Effect.exit(transaction(Effect.andThen(wake(0), Effect.fail("undone"))));
      yield* transaction(
        Effect.andThen(
          wake(0),
          Effect.sync(() => assert.isUndefined(waiting.pollUnsafe())),
        ),
      );
      yield* Fiber.join(waiting);
    }),
  );
});

// A commit to a file ends when the disk has it, which is where a caller that disconnects is interrupted most often.
describe.each([
  ["in memory", inMemory],
  ["in a file", inTemporaryFolder],
])("wake-ups of a database %s", (_, live) => {
  it.effect("are sent after a commit although the caller was interrupted during it [S9.2-3]", () =>
    Effect.gen(function* () {
      const { wakeUp, transaction, query } = yield* Effect.map(Layer.build(live), (context) =>
        Context.get(context, Database),
      );
      const { wake, changed } = wakeUp("mail");
      const id = (n: number) => `interrupted ${n}`;
      const write = (n: number) =>
        transaction(
          Effect.andThen(
            query((db) =>
              db
                .insertInto("write_probe")
                .values({ id: id(n) })
                .execute(),
            ),
            wake(0),
          ),
        );
      let committed = 0;
      for (let steps = 0; steps < 100; steps++) {
        const writing = yield* Effect.forkChild(write(steps), { startImmediately: true });
        for (let step = 0; step < steps; step++) yield* Effect.promise(() => Promise.resolve());
        yield* Fiber.interrupt(writing);
        const exit = yield* Fiber.await(writing);
        const found = yield* query((db) =>
          db.selectFrom("write_probe").selectAll().where("id", "=", id(steps)).execute(),
        );
        if (found.length === 0) continue;
        if (Exit.isFailure(exit)) committed++;
        const woken = yield* Effect.forkChild(changed, { startImmediately: true });
        assert.isDefined(woken.pollUnsafe(), `interrupted after ${steps} steps`);
      }
      assert.isAbove(committed, 0, "no commit was interrupted");
    }),
  );
});
