import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { type ListPlace, pageOf, readPage } from "../../src/shared/neighbours.ts";

const item = (at: number, id: string) => ({ at, id, name: `${id} at ${at}` });
const placeOf = ({ at, id }: ListPlace) => ({ at, id });

describe("a page of a list", () => {
  /** Returns a page, and what was read for it. */
  const read = (request: Parameters<typeof readPage>[0], found: ReadonlyArray<ListPlace>) => {
    const reads: Array<unknown> = [];
    return Effect.map(
      readPage(request, placeOf, (after, limit) => Effect.sync(() => (reads.push([after, limit]), found))),
      ({ items, nextCursor }) => [items.map(({ id }) => id), nextCursor, ...reads],
    );
  };
  const [a, b] = [item(7, "a"), item(7, "b")];

  it.effect("reads one entry more than it shows, and has a cursor if there is one [S2.8-1]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ limit: 2 }, [a, b]), [["a", "b"], null, [undefined, 3]]);
      assert.deepStrictEqual(yield* read({ limit: 1 }, [a, b]), [["a"], "7.a", [undefined, 2]]);
      assert.deepStrictEqual(yield* read({}, []), [[], null, [undefined, 201]]);
    }),
  );

  it.effect("continues at the time and the id in the cursor; an id may have dots", () =>
    Effect.gen(function* () {
      const after = (cursor: string) => Effect.map(read({ cursor, limit: 9 }, []), ([, , reads]) => reads);
      assert.deepStrictEqual(yield* after("7.a"), [{ at: 7, id: "a" }, 10]);
      assert.deepStrictEqual(yield* after("-3.x.y@z.test"), [{ at: -3, id: "x.y@z.test" }, 10]);
    }),
  );

  it.effect("is refused with a wrong cursor or limit, before anything is read [S2.8-3] [S2.8-4]", () =>
    Effect.gen(function* () {
      let isRead = false;
      const fields = (request: Parameters<typeof readPage>[0]) =>
        Effect.map(
          Effect.flip(readPage(request, placeOf, () => Effect.sync(() => ((isRead = true), [])))),
          ({ errors }) => [...new Set(errors.map(({ field }) => field))],
        );
      for (const cursor of ["", "a", "7", "7.", ".a", "x7.a", `${"1".repeat(16)}.a`, `7.${"a".repeat(299)}`])
        assert.deepStrictEqual(yield* fields({ cursor }), ["cursor"], cursor);
      for (const limit of [0, 201, 1.5]) assert.deepStrictEqual(yield* fields({ limit }), ["limit"]);
      assert.isFalse(isRead);
      yield* readPage({ cursor: `7.${"a".repeat(298)}`, limit: 200 }, placeOf, () => Effect.succeed([]));
    }),
  );
});

it.effect("a list in memory is sorted by time, then by id, and goes on behind its cursor", () =>
  Effect.gen(function* () {
    const all = [item(2, "a"), item(1, "c"), item(1, "b"), item(0, "z")];
    const ids = (request: Parameters<typeof pageOf>[0]) =>
      Effect.map(pageOf(request, all, placeOf), ({ items, nextCursor }) => [...items.map(({ id }) => id), nextCursor]);
    assert.deepStrictEqual(yield* ids({}), ["z", "b", "c", "a", null]);
    assert.deepStrictEqual(yield* ids({ limit: 2 }), ["z", "b", "1.b"]);
    assert.deepStrictEqual(yield* ids({ limit: 2, cursor: "1.b" }), ["c", "a", null]);
    assert.deepStrictEqual(yield* ids({ cursor: "1.bb" }), ["c", "a", null]);
    assert.deepStrictEqual(yield* ids({ cursor: "2.a" }), [null]);
  }),
);
