import { assert, it } from "@effect/vitest";
import { Effect, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import { knownIds } from "../../src/audit/call-lines.ts";
import { Audit, AuditEntries, type AuditEntry } from "../../src/audit/index.ts";
import { StoreUnavailable } from "../../src/shared/index.ts";
import { numberedIds, readableIds } from "../doubles.ts";

/** The audit over a store that fails while it is down. */
const world = Effect.gen(function* () {
  const store = { isDown: false, millis: 0, batches: new Array<ReadonlyArray<AuditEntry>>() };
  const entries = Layer.mock(AuditEntries, {
    insert: (some) =>
      Effect.suspend(() => {
        if (store.isDown) return Effect.fail(new StoreUnavailable({ detail: "down" }));
        store.batches.push(some);
        return store.millis === 0 ? Effect.void : Effect.sleep(store.millis);
      }),
  });
  const ports = Layer.mergeAll(entries, numberedIds, readableIds);
  const { checkRoom, recordCall, worker } = yield* Effect.provide(Audit, Layer.provide(Audit.layer, ports));
  const call = (key: string) =>
    recordCall({ key, application: null, tool: "mailboxes", account: null, ids: [], outcome: "done" });
  const calls = (key: string, times: number) => Effect.repeat(call(key), { times: times - 1 });
  return { store, calls, worker, isFull: (key: string) => Effect.isFailure(checkRoom(key)) };
});

it.effect("writes calls in batches, a quarter of a second after the first [S8.7-10]", () =>
  Effect.gen(function* () {
    const { store, calls, worker } = yield* world;
    yield* Effect.forkScoped(worker.run);
    yield* calls("one", 120);
    yield* TestClock.adjust(249);
    assert.deepStrictEqual(store.batches, []);
    yield* TestClock.adjust(1);
    assert.deepStrictEqual(
      store.batches.map(({ length }) => length),
      [100, 20],
    );
    yield* calls("one", 1);
    yield* TestClock.adjust(250);
    assert.lengthOf(store.batches, 3);
  }).pipe(Effect.scoped),
);

it.effect("keeps the lines of a key that the database does not take, up to 256, and writes them later [S8.7-11]", () =>
  Effect.gen(function* () {
    const { store, calls, worker, isFull } = yield* world;
    yield* Effect.forkScoped(worker.run);
    store.isDown = true;
    yield* calls("one", 255);
    yield* calls("other", 1);
    yield* TestClock.adjust("10 seconds");
    assert.isFalse(yield* isFull("one"));
    yield* calls("one", 1);
    assert.deepStrictEqual([yield* isFull("one"), yield* isFull("other")], [true, false]);
    store.isDown = false;
    yield* TestClock.adjust("2 seconds");
    assert.isFalse(yield* isFull("one"));
    const keys = store.batches.flat().map(({ key }) => key);
    assert.deepStrictEqual([keys.length, keys.filter((key) => key === "other").length], [257, 1]);
    assert.strictEqual(new Set(store.batches.flat().map(({ id }) => id)).size, 257);
  }).pipe(Effect.scoped),
);

it.effect("writes a call a quarter of a second after it ended, however long the worker was idle", () =>
  Effect.gen(function* () {
    const { store, calls, worker } = yield* world;
    yield* Effect.forkScoped(worker.run);
    yield* TestClock.adjust(400);
    yield* calls("one", 1);
    yield* TestClock.adjust(249);
    assert.deepStrictEqual(store.batches, []);
    yield* TestClock.adjust(1);
    assert.lengthOf(store.batches, 1);
  }).pipe(Effect.scoped),
);

it.effect("writes a call that the database did not take, without waiting for another call", () =>
  Effect.gen(function* () {
    const { store, calls, worker } = yield* world;
    yield* Effect.forkScoped(worker.run);
    yield* TestClock.adjust(0);
    store.isDown = true;
    yield* calls("one", 1);
    yield* TestClock.adjust("10 seconds");
    store.isDown = false;
    yield* TestClock.adjust("1 minute");
    assert.deepStrictEqual(
      store.batches.map(({ length }) => length),
      [1],
    );
  }).pipe(Effect.scoped),
);

it.effect("writes each call once, although two passes run at the same time", () =>
  Effect.gen(function* () {
    const { store, calls, worker } = yield* world;
    store.millis = 1_000;
    yield* calls("one", 150);
    const passes = yield* Effect.forkChild(Effect.all([worker.runDue, worker.runDue], { concurrency: "unbounded" }));
    yield* TestClock.adjust("5 seconds");
    assert.deepStrictEqual(yield* Fiber.join(passes), [150, 0]);
    assert.strictEqual(new Set(store.batches.flat().map(({ id }) => id)).size, store.batches.flat().length);
  }),
);

it.effect("has room for 256 lines of a key again after its lines were written", () =>
  Effect.gen(function* () {
    const { calls, worker, isFull } = yield* world;
    for (let n = 0; n < 3; n++) {
      yield* calls("one", 2);
      assert.strictEqual(yield* worker.runDue, 2);
    }
    yield* calls("one", 255);
    assert.isFalse(yield* isFull("one"));
    yield* calls("one", 1);
    assert.isTrue(yield* isFull("one"));
  }),
);

it.effect("writes what waits when the service stops [S8.7-10]", () =>
  Effect.gen(function* () {
    const { store, calls, worker } = yield* world;
    yield* calls("one", 3);
    yield* worker.drain("1 second");
    assert.deepStrictEqual(
      store.batches.map(({ length }) => length),
      [3],
    );
  }).pipe(Effect.scoped),
);

it("keeps the first hundred values of a call that have the form of an id, each once", () => {
  const ids = Array.from({ length: 101 }, (_, n) => String(n).padStart(22, "0"));
  assert.deepStrictEqual(knownIds([...ids.slice(0, 50), ...ids]), ids.slice(0, 100));
  const bare = "a".repeat(22);
  const others = [null, 7, { id: bare }, "", `${bare}a`, bare.slice(1), `msgs_${bare}`, `_${bare}`, `MSG_${bare}`];
  assert.deepStrictEqual(knownIds([...others, bare, `msg_${bare}`, "-_".repeat(11)]), [
    bare,
    `msg_${bare}`,
    "-_".repeat(11),
  ]);
});
