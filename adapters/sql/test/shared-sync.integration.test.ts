import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { sharedSync } from "../src/sqlite/shared-sync.ts";
import { temporaryFolder } from "./databases.ts";

/** A database whose syncs end when the test decides. */
const steered = Effect.gen(function* () {
  const file = join(yield* temporaryFolder, "some.db");
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(file)),
    (opened) => Effect.sync(() => opened.close()),
  );
  database.exec("pragma journal_mode = wal; pragma synchronous = normal; create table t (n)");
  assert.isTrue(existsSync(`${file}-wal`));
  const syncs: Array<PromiseWithResolvers<void>> = [];
  const sync = () => {
    const next = Promise.withResolvers<void>();
    syncs.push(next);
    return next.promise;
  };
  const durability = yield* sharedSync(database, file, sync);
  const settled: Array<string> = [];
  const commit = (name: string) => {
    database.exec("insert into t values (1)");
    durability.ended();
    return durability.durable().then(
      () => settled.push(name),
      () => settled.push(`${name} failed`),
    );
  };
  const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return { database, durability, syncs, settled, commit, turn };
});

it.live("a commit waits for a sync that began after it and shares it with others", () =>
  Effect.gen(function* () {
    const { syncs, settled, commit, turn } = yield* steered;
    void commit("one");
    yield* turn;
    void commit("two");
    void commit("three");
    yield* turn;
    assert.strictEqual(syncs.length, 1);
    syncs[0]!.resolve();
    yield* turn;
    assert.deepStrictEqual(settled, ["one"]);
    assert.strictEqual(syncs.length, 2);
    syncs[1]!.resolve();
    yield* turn;
    assert.deepStrictEqual(settled, ["one", "two", "three"]);
  }),
);

it.live("a read waits only for the sync of commits before it", () =>
  Effect.gen(function* () {
    const { database, durability, syncs, commit, turn } = yield* steered;
    const read = () => {
      database.prepare("select * from t").all();
      durability.ended();
    };
    read();
    assert.isTrue(durability.isDurable());
    void commit("one");
    read();
    assert.isFalse(durability.isDurable());
    syncs[0]!.resolve();
    yield* turn;
    assert.isTrue(durability.isDurable());
  }),
);

it.live("after a failed sync no commit is confirmed", () =>
  Effect.gen(function* () {
    const { syncs, settled, commit, turn } = yield* steered;
    void commit("one");
    syncs[0]!.reject(new Error("EIO"));
    yield* turn;
    void commit("two");
    yield* turn;
    assert.deepStrictEqual(settled, ["one failed", "two failed"]);
    assert.strictEqual(syncs.length, 1);
  }),
);

it.live("nothing waits for an overlooked commit, except for those before and after it [S9.3-7]", () =>
  Effect.gen(function* () {
    const { database, durability, syncs, settled, commit, turn } = yield* steered;
    const overlooked = () => {
      database.exec("insert into t values (1)");
      durability.overlook();
      durability.ended();
    };
    overlooked();
    assert.isTrue(durability.isDurable());
    void commit("before");
    yield* turn;
    overlooked();
    assert.isFalse(durability.isDurable());
    syncs[0]!.resolve();
    yield* turn;
    assert.deepStrictEqual([settled, durability.isDurable()], [["before"], true]);
    void commit("after");
    yield* turn;
    assert.deepStrictEqual([syncs.length, durability.isDurable()], [2, false]);
    syncs[1]!.resolve();
    yield* turn;
    assert.deepStrictEqual(settled, ["before", "after"]);
  }),
);
