import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { Audit, AuditEntries, type AuditEntry, AuditTrail } from "../../src/audit/index.ts";
import { audit, recordOperation } from "../../src/audit/neighbours.ts";
import { AUDITED_CALLS } from "../../src/audit/rules.ts";
import { AccountId } from "../../src/shared/index.ts";
import { numberedIds, readableIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;
const ME = AccountId("me@x.test");

const entry = (n: number): AuditEntry => ({
  id: `aud_${n}`,
  createdAt: NOW - n,
  operation: "send.send",
  key: "k",
  application: null,
  account: null,
  target: null,
  ids: [],
  outcome: "done",
});

/** The audit over a store that has these entries and this many old ones, with its reads and removals. */
const world = (stored: ReadonlyArray<AuditEntry> = [], old: { calls: number; all: number } = { calls: 0, all: 0 }) => {
  const state = { inserted: Array<AuditEntry>(), asked: Array<unknown>() };
  const layer = Audit.layer.pipe(
    Layer.provide([
      Layer.mock(AuditEntries, {
        insert: (some) => Effect.sync(() => void state.inserted.push(...some)),
        list: (filter, after, limit) =>
          Effect.sync(() => {
            state.asked.push([filter, after, limit]);
            return stored.slice(0, limit);
          }),
        removeOld: (before, limit, only) =>
          Effect.sync(() => {
            state.asked.push([(NOW - before) / DAY, limit, only ?? "all"]);
            const kind = only === undefined ? "all" : "calls";
            const removed = Math.min(limit, old[kind]);
            old[kind] -= removed;
            return removed;
          }),
      }),
      numberedIds,
      readableIds,
    ]),
  );
  const using = <A, E>(use: (one: Audit["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.andThen(TestClock.setTime(NOW), Effect.flatMap(Audit, use)), layer);
  return { state, layer, using };
};

const ALL = { key: null, account: null };

describe("an operation of a request", () => {
  it.effect("leaves an entry of its sender, with what it was about [S8.7-1]", () =>
    Effect.gen(function* () {
      const { state, using } = world();
      yield* using(({ trailOf }) => {
        const record = trailOf({ key: "k", application: "crm" });
        return Effect.andThen(
          record("accounts.change", { account: ME }),
          Effect.andThen(
            record("keys.make", { target: "k2" }),
            record("messages.batch", { account: ME, ids: ["a", "b"] }),
          ),
        );
      });
      const common = { createdAt: NOW, key: "k", application: "crm", outcome: "done" };
      const account = `acc_${ME}`;
      assert.deepStrictEqual(
        state.inserted.map(({ id, ...rest }) => [id.slice(0, 7), rest]),
        [
          ["aud_id1", { ...common, operation: "accounts.change", account, target: null, ids: [] }],
          ["aud_id2", { ...common, operation: "keys.make", account: null, target: "k2", ids: [] }],
          ["aud_id3", { ...common, operation: "messages.batch", account, target: null, ids: ["a", "b"] }],
        ],
      );
    }),
  );

  it.effect("leaves an entry in the trail of its request, and none outside of a request", () =>
    Effect.gen(function* () {
      const { state, using } = world();
      const operation = recordOperation("send.send", { account: ME, target: "out_1" });
      yield* operation;
      yield* using(({ trailOf }) =>
        Effect.provideService(operation, AuditTrail, trailOf({ key: null, application: null })),
      );
      assert.deepStrictEqual(
        state.inserted.map(({ operation, key, target }) => [operation, key, target]),
        [["send.send", null, "out_1"]],
      );
    }),
  );
});

describe("a call of an agent", () => {
  it.effect("is written with its tool, its outcome and the ids of this service in it [S8.7-7]", () =>
    Effect.gen(function* () {
      const { state, using } = world();
      const id = "msg_" + "a".repeat(22);
      const bare = "b".repeat(22);
      const call = { key: "k", application: "crm", account: ME, ids: [id, 7, "text", bare, id, `${bare}c`] };
      yield* using(({ recordCall, worker }) =>
        Effect.gen(function* () {
          yield* recordCall({ ...call, tool: "list", outcome: "done" });
          yield* recordCall({ ...call, tool: "no such tool", outcome: "forbidden", account: null, ids: [] });
          assert.deepStrictEqual(state.inserted, []);
          assert.strictEqual(yield* worker.runDue, 2);
        }),
      );
      const common = { id: "", createdAt: NOW, key: "k", application: "crm", target: null };
      assert.deepStrictEqual(
        state.inserted.map((entry) => ({ ...entry, id: "" })),
        [
          { ...common, operation: "mcp.list", account: `acc_${ME}`, ids: [id, bare], outcome: "done" },
          { ...common, operation: "mcp.other", account: null, ids: [], outcome: "forbidden" },
        ],
      );
    }),
  );

  it.effect("is shown with up to twenty calls about the same account before it", () =>
    Effect.gen(function* () {
      const { state, using } = world(Array.from({ length: 30 }, (_, n) => entry(n)));
      const shown = yield* using(({ callsBefore }) => callsBefore(NOW - 5, "k", ME));
      assert.lengthOf(shown, 20);
      assert.deepStrictEqual(state.asked, [
        [{ key: "k", account: `acc_${ME}`, operations: AUDITED_CALLS }, { at: NOW - 5, id: "" }, 20],
      ]);
    }),
  );
});

describe("a page of the audit", () => {
  /** The filter by which the store is asked; null if it is not asked. */
  const filterOf = (
    search: Parameters<Audit["Service"]["page"]>[0],
    reader = ALL as Parameters<Audit["Service"]["page"]>[1],
  ) =>
    Effect.gen(function* () {
      const { state, using } = world();
      const { items, nextCursor } = yield* using(({ page }) => page(search, reader));
      assert.deepStrictEqual([items, nextCursor], [[], null]);
      const asked = state.asked as ReadonlyArray<readonly [unknown, ...ReadonlyArray<unknown>]>;
      return asked[0]?.[0] ?? null;
    });

  it.effect(
    "has the entries that its search names: of a key, of an account by its id or address, of an operation",
    () =>
      Effect.gen(function* () {
        const all = { key: null, account: null, operations: null };
        assert.deepStrictEqual(yield* filterOf({}), all);
        assert.deepStrictEqual(yield* filterOf({ key: "admin" }), { ...all, key: "admin" });
        assert.deepStrictEqual(yield* filterOf({ account: "ME@x.test" }), { ...all, account: `acc_${ME}` });
        assert.deepStrictEqual(yield* filterOf({ account: "acc_gone" }), { ...all, account: "acc_gone" });
        assert.deepStrictEqual(yield* filterOf({ account: "a@b@c" }), { ...all, account: "a@b@c" });
        assert.deepStrictEqual(yield* filterOf({ operation: "send.send" }), { ...all, operations: ["send.send"] });
      }),
  );

  it.effect("has only the entries of the reader's key, or about the reader's account [S8.7-2]", () =>
    Effect.gen(function* () {
      const ofKey = { key: "k", account: null };
      assert.deepStrictEqual(yield* filterOf({}, ofKey), { ...ofKey, operations: null });
      assert.deepStrictEqual(yield* filterOf({ key: "k" }, ofKey), { ...ofKey, operations: null });
      assert.isNull(yield* filterOf({ key: "other" }, ofKey));
      assert.deepStrictEqual(yield* filterOf({ account: "acc_1" }, ofKey), {
        key: "k",
        account: "acc_1",
        operations: null,
      });
      const ofAccount = { key: null, account: ME };
      const own = { key: null, account: `acc_${ME}`, operations: null };
      assert.deepStrictEqual(yield* filterOf({}, ofAccount), own);
      assert.deepStrictEqual(yield* filterOf({ account: "me@x.test" }, ofAccount), own);
      assert.isNull(yield* filterOf({ account: "other@x.test" }, ofAccount));
      assert.deepStrictEqual(yield* filterOf({ key: "k" }, ofAccount), { ...own, key: "k" });
    }),
  );

  it.effect("is followed by the page after its last entry", () =>
    Effect.gen(function* () {
      const { state, using } = world([entry(1), entry(2), entry(3)]);
      const first = yield* using(({ page }) => page({ limit: 2 }, ALL));
      assert.deepStrictEqual(first, { items: [entry(1), entry(2)], nextCursor: `${NOW - 2}.aud_2` });
      yield* using(({ page }) => page({ limit: 2, cursor: first.nextCursor! }, ALL));
      assert.deepStrictEqual(
        state.asked.map((one) => (one as ReadonlyArray<unknown>).slice(1)),
        [
          [undefined, 3],
          [{ at: NOW - 2, id: "aud_2" }, 3],
        ],
      );
    }),
  );

  it.effect("is refused with a field out of its bounds", () =>
    Effect.gen(function* () {
      for (const search of [{ account: "x".repeat(513) }, { key: "" }, { operation: "send.eat" as never }]) {
        const refused = world().using(({ page }) => Effect.flip(page(search, ALL)));
        assert.strictEqual((yield* refused)._tag, "InputInvalid");
      }
    }),
  );
});

describe("the audit", () => {
  it.effect(
    "forgets calls after 30 days and changes after 90, and says whether there may be more [S8.7-3] [S8.7-8]",
    () =>
      Effect.gen(function* () {
        for (const [calls, all, expected] of [
          [9, 9, false],
          [10, 9, true],
          [9, 10, true],
        ] as const) {
          const { state, using } = world([], { calls, all });
          assert.strictEqual(yield* using(({ forgetOld }) => forgetOld(10)), expected);
          assert.deepStrictEqual(state.asked, [
            [30, 10, AUDITED_CALLS],
            [90, 10, "all"],
          ]);
        }
      }),
  );

  it.effect("is swept until nothing old is left, and its calls have a worker", () =>
    Effect.gen(function* () {
      const old = { calls: 700, all: 1_700 };
      const { layer } = world([], old);
      yield* Effect.gen(function* () {
        for (const sweep of yield* audit.sweeps) yield* sweep;
        assert.deepStrictEqual(old, { calls: 0, all: 0 });
        assert.deepStrictEqual(
          (yield* audit.workers).map(({ name }) => name),
          ["audit of calls"],
        );
      }).pipe(Effect.provide(layer));
    }),
  );
});
