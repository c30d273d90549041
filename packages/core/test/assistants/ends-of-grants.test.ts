import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { AgentGrantRecords, AuthorizationCodes } from "../../src/assistants/index.ts";
import { assistants } from "../../src/assistants/module.ts";
import { CODE, DAY, grantsInMemory, ME, NOW, OTHER } from "./grants-in-memory.ts";

it.effect("a person ends an own grant, and its waiting mail is held [S13.3-15]", () =>
  Effect.gen(function* () {
    const { run, stored, happened } = grantsInMemory();
    yield* run(NOW, ({ start }) => start(CODE));
    const [id] = stored.keys();
    const end = (...given: readonly [typeof ME, string]) =>
      run(NOW, (grants) =>
        Effect.match(grants.end(...given), { onSuccess: () => "ended", onFailure: ({ _tag }) => _tag }),
      );
    assert.strictEqual(yield* end(OTHER, id!), "AgentGrantNotFound");
    assert.strictEqual(yield* end(ME, "another"), "AgentGrantNotFound");
    assert.strictEqual(yield* end(ME, ""), "InputInvalid");
    assert.deepStrictEqual([stored.size, ...happened], [1]);
    assert.strictEqual(yield* end(ME, id!), "ended");
    assert.deepStrictEqual(
      [stored.size, ...happened],
      [0, `grants.remove ${ME} ${id}`, `ended ${id}: hold`, `released ${ME}`],
    );
  }),
);

it.effect("grants are listed by their account, with a cursor to the next page [S13.3-14]", () =>
  Effect.gen(function* () {
    const { run } = grantsInMemory();
    yield* run(NOW, ({ start, page }) =>
      Effect.gen(function* () {
        for (const account of [ME, OTHER, ME, ME]) yield* start({ ...CODE, account });
        const first = yield* page(ME, { limit: 2 });
        const rest = yield* page(ME, { limit: 2, cursor: first.nextCursor! });
        assert.deepStrictEqual([first.items.length, rest.items.length, rest.nextCursor], [2, 1, null]);
        assert.strictEqual(first.nextCursor, `${NOW}.${first.items[1]!.id}`);
        const found = [...first.items, ...rest.items];
        assert.strictEqual(new Set(found.map(({ id }) => id)).size, 3);
        assert.isTrue(found.every(({ account }) => account === ME));
      }),
    );
    const { items } = yield* run(NOW + 30 * DAY, ({ page }) => page(ME, {}));
    assert.deepStrictEqual(items, []);
  }),
);

it.effect("grants that are not used for 30 days end, 200 in each transaction [S13.3-16]", () =>
  Effect.gen(function* () {
    const { run, stored, happened } = grantsInMemory();
    yield* run(NOW, ({ start }) => Effect.forEach(Array.from({ length: 201 }), () => start(CODE)));
    const id = [...stored.keys()].at(-1)!;
    stored.set(id, { ...stored.get(id)!, expiresAt: NOW + 31 * DAY });
    yield* run(NOW + 30 * DAY, ({ sweep }) => sweep);
    assert.deepStrictEqual([...stored.keys()], [id]);
    assert.strictEqual(happened.filter((what) => what.endsWith(": hold")).length, 200);
    assert.strictEqual(happened.filter((what) => what === `released ${ME}`).length, 200);
    assert.deepStrictEqual(
      happened.filter((what) => what.startsWith("removed")),
      ["removed 200 of 200", "removed 0 of 200"],
    );
  }),
);

it.effect("removing an account erases its grants and codes; a live grant needs its credential [S13.3-16]", () =>
  Effect.gen(function* () {
    const erased: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void erased.push(what));
    const ports = Layer.merge(
      Layer.mock(AgentGrantRecords, {
        removeAll: (account) => note(`grants of ${account}`),
        hasLive: (account, now) => Effect.succeed(account === ME && now === NOW),
      }),
      Layer.mock(AuthorizationCodes, { removeAll: (account) => note(`codes of ${account}`) }),
    );
    const { erase, needsCredential } = yield* Effect.provide(assistants.data, ports);
    yield* erase(ME);
    assert.deepStrictEqual(erased, [`codes of ${ME}`, `grants of ${ME}`]);
    assert.isTrue(yield* needsCredential(ME, NOW));
    assert.isFalse(yield* needsCredential(OTHER, NOW));
  }),
);
