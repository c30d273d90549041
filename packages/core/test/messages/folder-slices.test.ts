import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { type Cursor, encodeCursor } from "../../src/messages/page.ts";
import { sliceByFolder } from "../../src/messages/search/slice-by-folder.ts";

const folder = (id: string) => ({ id, key: `key of ${id}`, path: `path of ${id}` });
const [A, B, C, D] = [folder("A"), folder("B"), folder("C"), folder("D")];
const found = (where: typeof A, ...uids: ReadonlyArray<number>) => ({
  folder: where,
  uidValidity: 7,
  uids,
  unread: [],
});
const below = (where: typeof A, uid: number): Cursor => ({
  folderId: where.id,
  key: where.key,
  uidValidity: 7,
  uid,
  position: 1,
});
const start = (where: typeof A): Cursor => ({ ...below(where, 1), uidValidity: 0 });

/** Results in A and C, none in B; D was not searched unless `left` says otherwise. */
const slice = ({
  left = Array<typeof A>(),
  from = 0,
  cursor = undefined as Cursor | undefined,
  skip = 0,
  limit = 2,
} = {}) => {
  const finds = [found(A, 1, 2, 3), found(B), found(C, 4, 5), found(D)].filter((one) => !left.includes(one.folder));
  return sliceByFolder({ finds, left, where: [A, B, C, D], from }, cursor, skip, limit).pipe(
    Effect.map(({ skipped, shown, nextCursor }) => ({
      skipped,
      shown: shown.map(({ folder: { id }, uids }) => `${id} ${uids.join()}`),
      nextCursor,
    })),
  );
};

describe("a page of results folder by folder", () => {
  it.effect.each<[skip: number, limit: number, shown: ReadonlyArray<string>, next: Cursor | null]>([
    [0, 2, ["A 3,2"], below(A, 2)],
    [0, 3, ["A 3,2,1"], below(A, 1)],
    [0, 4, ["A 3,2,1", "C 5"], below(C, 5)],
    [0, 5, ["A 3,2,1", "C 5,4"], null],
    [0, 6, ["A 3,2,1", "C 5,4"], null],
    [2, 2, ["A 1", "C 5"], below(C, 5)],
    [3, 1, ["C 5"], below(C, 5)],
    [3, 2, ["C 5,4"], null],
    [4, 1, ["C 4"], null],
    [5, 2, [], null],
    [9, 2, [], null],
  ])("skips %d results and shows at most %d, the newest of each folder first", ([skip, limit, shown, next]) =>
    Effect.gen(function* () {
      expect(yield* slice({ skip, limit })).toEqual({ skipped: skip, shown, nextCursor: next && encodeCursor(next) });
    }),
  );

  it.effect("has whole results, of the folders that have some", () =>
    Effect.gen(function* () {
      const [results] = [{ folder: A, uidValidity: 7, uids: [1, 2], unread: [2] }];
      const { shown } = yield* sliceByFolder({ finds: [results], left: [], where: [A], from: 0 }, undefined, 0, 2);
      expect(shown).toEqual([{ folder: A, uidValidity: 7, uids: [2, 1], unread: [2] }]);
    }),
  );

  it.effect("at the end of what was searched goes on with the first folder that was not", () =>
    Effect.gen(function* () {
      const nextOf = (asked: Parameters<typeof slice>[0]) => Effect.map(slice(asked), ({ nextCursor }) => nextCursor);
      expect(yield* nextOf({ left: [D], skip: 3 })).toBe(encodeCursor(start(D)));
      expect(yield* nextOf({ left: [D], skip: 9 })).toBe(encodeCursor(start(D)));
      expect(yield* nextOf({ left: [C, D], skip: 2 })).toBe(encodeCursor(start(C)));
      expect(yield* nextOf({ left: [D], skip: 2 })).toBe(encodeCursor(below(C, 5)));
      // The folders before that of the cursor were shown before.
      expect(yield* nextOf({ left: [D, A], from: 1, limit: 9 })).toBe(encodeCursor(start(D)));
      expect(yield* nextOf({ left: [A], from: 1, limit: 9 })).toBeNull();
    }),
  );

  it.effect("continues below the cursor, even if its message is gone", () =>
    Effect.gen(function* () {
      const at = (cursor: Cursor) =>
        Effect.map(slice({ cursor, skip: 4 }), ({ skipped, shown }) => [skipped, ...shown]);
      expect(yield* at(below(A, 4))).toEqual([0, "A 3,2"]);
      expect(yield* at(below(A, 3))).toEqual([1, "A 2,1"]);
      expect(yield* at(below(A, 2))).toEqual([2, "A 1", "C 5"]);
      expect(yield* at(below(C, 6))).toEqual([3, "C 5,4"]);
      expect(yield* at(below(C, 5))).toEqual([4, "C 4"]);
      expect(yield* at(start(B))).toEqual([3, "C 5,4"]);
      expect(yield* at(start(C))).toEqual([3, "C 5,4"]);
      expect(yield* at({ ...start(C), uid: 5 })).toEqual([3, "C 5,4"]);
    }),
  );

  it.effect("fails if the folder of the cursor has no results, is recreated, or is another mailbox now", () =>
    Effect.gen(function* () {
      const failure = (cursor: Cursor, left = Array<typeof A>()) =>
        Effect.map(Effect.flip(slice({ cursor, left })), ({ _tag }) => _tag);
      expect(yield* failure(below(folder("E"), 1))).toBe("CursorMalformed");
      expect(yield* failure(start(D), [D])).toBe("CursorMalformed");
      expect(yield* failure({ ...below(A, 2), uidValidity: 8 })).toBe("CursorStale");
      expect(yield* failure({ ...below(A, 2), key: "another" })).toBe("CursorStale");
    }),
  );
});
