import { assert, it } from "@effect/vitest";
import { StoreUnavailable } from "../src/shared/index.ts";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { batchedWriter } from "../src/shared/batched-writer.ts";

/** A writer whose batches take a second each; the batches named in `failing` fail. */
const writer = Effect.fnUntraced(function* (maxWaiting = Infinity, failing: ReadonlyArray<string> = []) {
  const written: Array<string> = [];
  const write = yield* batchedWriter<string>({
    name: "test",
    maxAtOnce: 3,
    maxWaiting,
    write: Effect.fnUntraced(function* (batch) {
      yield* Effect.sleep("1 second");
      const name = batch.join("");
      if (failing.includes(name)) return yield* new StoreUnavailable({ detail: "down" });
      written.push(name);
    }),
  });
  return { written, write: (items: string) => Effect.forEach([...items], write, { discard: true }) };
});

it.effect("writes items that arrive during a write in the next batches, in order [S7.8-2]", () =>
  Effect.gen(function* () {
    const { write, written } = yield* writer();
    yield* write("a");
    yield* TestClock.adjust(1);
    yield* write("bcdef");
    yield* TestClock.adjust("10 seconds");
    assert.deepStrictEqual(written, ["a", "bcd", "ef"]);
    yield* write("g");
    yield* TestClock.adjust("1 second");
    assert.deepStrictEqual(written, ["a", "bcd", "ef", "g"], "starts again after the fiber ended");
  }).pipe(Effect.scoped),
);

it.effect("drops items beyond the limit of waiting ones [S7.8-2]", () =>
  Effect.gen(function* () {
    const { write, written } = yield* writer(2);
    yield* write("abc");
    yield* TestClock.adjust("10 seconds");
    assert.deepStrictEqual(written, ["ab"]);
  }).pipe(Effect.scoped),
);

it.effect("loses a batch that failed and writes the next", () =>
  Effect.gen(function* () {
    const { write, written } = yield* writer(Infinity, ["abc"]);
    yield* write("abcd");
    yield* TestClock.adjust("10 seconds");
    assert.deepStrictEqual(written, ["d"]);
  }).pipe(Effect.scoped),
);
