import { assert, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, Option } from "effect";
import { describe } from "vitest";
import { batched } from "../src/database/batched.ts";

/** A store that can be paused: it records each query and answers when its gate opens. */
const slowStore = Effect.sync(() => {
  const rows = new Map<string, number>();
  const queries: Array<{ readonly keys: ReadonlyArray<string>; readonly gate: Deferred.Deferred<void, "down"> }> = [];
  const find = batched((keys: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const gate = Deferred.makeUnsafe<void, "down">();
      queries.push({ keys, gate });
      const seen = new Map([...rows].filter(([key]) => keys.includes(key)));
      return Effect.as(Deferred.await(gate), seen);
    }),
  );
  return { rows, queries, find };
});

const settle = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow, { discard: true });

describe("finding in batches", () => {
  it.effect("queries at once for the first caller, and once for all callers that arrive during the query", () =>
    Effect.gen(function* () {
      const { rows, queries, find } = yield* slowStore;
      rows.set("a", 1).set("b", 2);
      const first = yield* Effect.forkChild(find("a"));
      yield* settle;
      const rest = yield* Effect.forkChild(Effect.forEach(["b", "c", "b", "a"], find, { concurrency: "unbounded" }));
      yield* settle;
      assert.deepStrictEqual(
        queries.map(({ keys }) => keys),
        [["a"]],
      );
      yield* Deferred.succeed(queries[0]!.gate, undefined);
      assert.deepStrictEqual(yield* Fiber.join(first), Option.some(1));
      yield* settle;
      assert.deepStrictEqual(queries[1]!.keys, ["b", "c", "a"]);
      yield* Deferred.succeed(queries[1]!.gate, undefined);
      assert.deepStrictEqual(yield* Fiber.join(rest), [2, null, 2, 1].map(Option.fromNullOr));
    }),
  );

  it.effect("returns no result read before the caller asked", () =>
    Effect.gen(function* () {
      const { rows, queries, find } = yield* slowStore;
      rows.set("a", 1);
      const before = yield* Effect.forkChild(find("a"));
      yield* settle;
      rows.delete("a");
      const after = yield* Effect.forkChild(find("a"));
      yield* settle;
      yield* Deferred.succeed(queries[0]!.gate, undefined);
      yield* settle;
      yield* Deferred.succeed(queries[1]!.gate, undefined);
      assert.deepStrictEqual(yield* Fiber.join(before), Option.some(1));
      assert.deepStrictEqual(yield* Fiber.join(after), Option.none());
    }),
  );

  it.effect("fails the callers of a failed query and continues", () =>
    Effect.gen(function* () {
      const { rows, queries, find } = yield* slowStore;
      rows.set("b", 2);
      const one = yield* Effect.forkChild(find("a"));
      yield* settle;
      const other = yield* Effect.forkChild(find("b"));
      yield* settle;
      yield* Deferred.fail(queries[0]!.gate, "down");
      assert.strictEqual(yield* Effect.flip(Fiber.join(one)), "down");
      yield* settle;
      yield* Deferred.succeed(queries[1]!.gate, undefined);
      assert.deepStrictEqual(yield* Fiber.join(other), Option.some(2));
    }),
  );

  it.effect("continues for other callers when one is interrupted", () =>
    Effect.gen(function* () {
      const { rows, queries, find } = yield* slowStore;
      rows.set("a", 1).set("b", 2);
      const first = yield* Effect.forkChild(find("a"));
      yield* settle;
      const [second, third] = [yield* Effect.forkChild(find("a")), yield* Effect.forkChild(find("b"))];
      yield* settle;
      yield* Fiber.interrupt(first);
      yield* Fiber.interrupt(second);
      yield* Deferred.succeed(queries[0]!.gate, undefined);
      yield* settle;
      yield* Deferred.succeed(queries[1]!.gate, undefined);
      assert.deepStrictEqual(yield* Fiber.join(third), Option.some(2));
    }),
  );
});
