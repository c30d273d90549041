import { assert, it } from "@effect/vitest";
import { type CommitOutcome, SimulatedStore, type StoreClient } from "@postern/memory";
import { Clock, Deferred, Effect, Fiber, HashMap, Option, Queue } from "effect";
import { TestClock } from "effect/testing";

type Rows = HashMap.HashMap<string, number>;

/** Two nodes with a cell of three rows. The first commits end as given; later commits succeed. */
const twoNodes = Effect.fnUntraced(function* (...outcomes: Array<CommitOutcome>) {
  const store = new SimulatedStore({
    clock: yield* Clock.Clock,
    commit: () => outcomes.shift() ?? "committed",
    wakeMillis: () => 0,
    lockMillis: 5_000,
    idleMillis: 3_000,
    pollMillis: 5_000,
  });
  const initial: Rows = HashMap.make(["a", 1], ["b", 1], ["c", 1]);
  const nodes = ["one", "two"].map((name) => store.client(name));
  const [one, two] = yield* Effect.forEach(nodes, (node) =>
    Effect.map(node.cell("rows", initial), (cell) => ({
      ...node,
      cell,
      read: (key: string) => Effect.map(cell.get, (rows) => Option.getOrUndefined(HashMap.get(rows, key))),
      add: (key: string, n: number) => cell.modify((rows) => [undefined, HashMap.modify(rows, key, (had) => had + n)]),
    })),
  );
  return { store, one: one!, two: two! };
});

/** Opens a transaction that runs `first`, and then stays open until `commit`. */
const held = Effect.fnUntraced(function* <E>(node: Pick<StoreClient, "transaction">, first: Effect.Effect<unknown, E>) {
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
  const fiber = yield* Effect.forkChild(
    node.transaction(Effect.andThen(first, Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)))),
  );
  yield* Deferred.await(begun);
  return { commit: Effect.andThen(Deferred.succeed(end, undefined), Fiber.await(fiber)) };
});
it.effect("a transaction reads what others committed since its last statement, and its own changes", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const [begun, changed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
    const reader = yield* Effect.forkChild(
      one.transaction(
        Effect.gen(function* () {
          yield* one.add("a", 1);
          const before = yield* one.read("b");
          yield* Deferred.succeed(begun, undefined);
          yield* Deferred.await(changed);
          return [before, yield* one.read("b"), yield* one.read("a")];
        }),
      ),
    );
    yield* Deferred.await(begun);
    yield* two.transaction(two.add("b", 5));
    yield* Deferred.succeed(changed, undefined);
    assert.deepStrictEqual(yield* Fiber.join(reader), [1, 6, 2]);
    assert.deepStrictEqual([yield* two.read("a"), yield* two.read("b")], [2, 6]);
  }),
);

it.effect("a change of a locked row waits for the commit and applies to what was committed", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const first = yield* held(one, one.add("a", 10));
    assert.strictEqual(yield* two.read("a"), 1);
    yield* two.add("b", 1);
    const second = yield* Effect.forkChild(two.add("a", 100));
    yield* TestClock.adjust(1);
    assert.strictEqual(yield* two.read("a"), 1);
    yield* first.commit;
    yield* Fiber.join(second);
    assert.strictEqual(yield* one.read("a"), 111);
    assert.strictEqual(yield* one.read("b"), 2);
  }),
);

it.effect("a claim skips rows that another transaction has locked", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const first = yield* held(one, Effect.andThen(one.add("a", 1), one.cell.lock(["b"])));
    const free = two.cell.modify((rows, isLocked) => [[...HashMap.keys(rows)].filter((key) => !isLocked(key)), rows]);
    assert.deepStrictEqual(yield* free, ["c"]);
    yield* first.commit;
    assert.lengthOf(yield* free, 3);
  }),
);

it.effect("a statement stops waiting for a lock after 5 s; its transaction can only be rolled back", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const busy = yield* Effect.forkChild(
      one.transaction(Effect.andThen(one.add("a", 1), Effect.forever(Effect.delay(one.read("a"), 1_000)))),
    );
    yield* TestClock.adjust(1);
    const second = yield* Effect.forkChild(
      Effect.exit(two.transaction(Effect.andThen(two.add("c", 1), Effect.ignore(two.add("a", 1))))),
    );
    yield* TestClock.adjust(4_999);
    assert.isUndefined(second.pollUnsafe());
    yield* TestClock.adjust(1);
    assert.include(JSON.stringify(yield* Fiber.join(second)), "lock time-out");
    assert.strictEqual(yield* one.read("c"), 1);
    yield* Fiber.interrupt(busy);
    yield* two.add("a", 1);
    assert.strictEqual(yield* two.read("a"), 2);
  }),
);

it.effect("the server ends a transaction of a node that hangs for 3 s", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const hanging = yield* held(one, one.add("a", 10));
    const second = yield* Effect.forkChild(two.add("a", 100));
    yield* TestClock.adjust(2_999);
    assert.isUndefined(second.pollUnsafe());
    yield* TestClock.adjust(1);
    yield* Fiber.join(second);
    assert.include(JSON.stringify(yield* hanging.commit), "idle");
    assert.strictEqual(yield* one.read("a"), 101);
  }),
);

it.effect("a restart ends open transactions without their changes, and frees their locks", () =>
  Effect.gen(function* () {
    const { store, one, two } = yield* twoNodes();
    const open = yield* held(one, one.add("a", 10));
    const waiting = yield* Effect.forkChild(two.add("a", 100));
    yield* Effect.yieldNow;
    store.restart();
    yield* Fiber.join(waiting);
    assert.include(JSON.stringify(yield* open.commit), "restarted");
    assert.strictEqual(yield* one.read("a"), 101);
  }),
);

it.effect("one of two transactions in a deadlock is rolled back and runs again", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    let runs = 0;
    const transfer = (node: typeof one, from: string, to: string) =>
      node.transaction(
        Effect.gen(function* () {
          runs++;
          yield* node.add(from, 1);
          yield* Effect.sleep(10);
          yield* node.add(to, 1);
        }),
      );
    const both = yield* Effect.forkChild(
      Effect.all([transfer(one, "a", "b"), transfer(two, "b", "a")], { concurrency: "unbounded" }),
    );
    yield* TestClock.adjust(100);
    yield* Fiber.join(both);
    assert.strictEqual(runs, 3);
    assert.deepStrictEqual([yield* one.read("a"), yield* one.read("b")], [3, 3]);
  }),
);

it.effect("a transaction in conflict runs again, five times at most", () =>
  Effect.gen(function* () {
    const { one } = yield* twoNodes("conflict", "conflict");
    yield* one.transaction(one.add("a", 1));
    assert.strictEqual(yield* one.read("a"), 2);
    const { two } = yield* twoNodes(...Array.from({ length: 5 }, () => "conflict" as const));
    assert.strictEqual((yield* Effect.flip(two.transaction(two.add("a", 1))))._tag, "StoreUnavailable");
    assert.strictEqual(yield* two.read("a"), 1);
  }),
);

it.effect(
  "a refused commit is rolled back; a lost one fails but keeps its changes, which nodes find at their poll",
  () =>
    Effect.gen(function* () {
      const { one, two } = yield* twoNodes("refused", "lost");
      const changed = yield* two.listen("rows");
      const write = Effect.andThen(one.add("a", 1), one.wake("rows"));
      assert.strictEqual((yield* Effect.flip(one.transaction(write)))._tag, "StoreUnavailable");
      assert.strictEqual(yield* one.read("a"), 1);
      assert.strictEqual((yield* Effect.flip(one.transaction(write)))._tag, "StoreUnavailable");
      assert.strictEqual(yield* two.read("a"), 2);
      const woken = yield* Effect.forkChild(changed);
      yield* TestClock.adjust(4_999);
      assert.isUndefined(woken.pollUnsafe());
      yield* TestClock.adjust(1);
      yield* Fiber.join(woken);
    }).pipe(Effect.scoped),
);

it.effect("wake-ups are sent to every node at the commit", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const woken = yield* Queue.unbounded<string>();
    for (const node of [one, two]) {
      const changed = yield* node.listen("rows");
      const seen = Effect.flatMap(Effect.andThen(changed, node.read("a")), (a) => Queue.offer(woken, String(a)));
      yield* Effect.forkChild(seen);
    }
    const first = yield* held(one, Effect.andThen(one.wake("rows"), one.add("a", 1)));
    yield* TestClock.adjust(1);
    assert.strictEqual(yield* Queue.size(woken), 0);
    yield* first.commit;
    assert.deepStrictEqual([yield* Queue.take(woken), yield* Queue.take(woken)], ["2", "2"]);
    yield* Effect.exit(one.transaction(Effect.andThen(one.wake("rows"), Effect.fail("no"))));
    const again = yield* Effect.forkChild(yield* two.listen("rows"));
    yield* TestClock.adjust(4_999);
    assert.isUndefined(again.pollUnsafe(), "it rolled back");
    yield* TestClock.adjust(1);
    assert.isDefined(again.pollUnsafe(), "the node polls");
  }).pipe(Effect.scoped),
);

it.effect("a locked name makes others wait, and a savepoint that fails undoes only its own changes", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoNodes();
    const savepoint = one.transaction(Effect.andThen(one.add("b", 50), Effect.fail("no")));
    const first = yield* held(
      one,
      Effect.all([one.lockNames(["n"]), one.add("a", 1), Effect.ignore(savepoint), one.add("c", 1)]),
    );
    yield* two.lockNames(["m"]);
    const second = yield* Effect.forkChild(Effect.andThen(two.lockNames(["n"]), two.read("a")));
    yield* TestClock.adjust(1);
    assert.isUndefined(second.pollUnsafe());
    yield* first.commit;
    assert.strictEqual(yield* Fiber.join(second), 2);
    assert.deepStrictEqual([yield* two.read("b"), yield* two.read("c")], [1, 2]);
  }),
);
