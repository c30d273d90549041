import { countIn, isIn, rangesBelow, rangesOf, rangesWithout, uidAt, uidsMissing } from "../src/watch/index.ts";
import fc from "fast-check";
import { expect, it } from "vitest";

const uids = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
  .map((some) => some.toSorted((one, other) => one - other));

it("joins UIDs that follow one another, and keeps others apart", () => {
  expect(rangesOf([])).toEqual([]);
  expect(rangesOf([1, 2, 3, 5, 7, 8])).toEqual([
    [1, 3],
    [5, 5],
    [7, 8],
  ]);
  expect(rangesOf([2, 2, 3])).toEqual([[2, 3]]);
  expect(rangesOf([4, 6, 9], [[1, 3]])).toEqual([
    [1, 4],
    [6, 6],
    [9, 9],
  ]);
  expect(rangesOf([5, 6], [[1, 3]])).toEqual([
    [1, 3],
    [5, 6],
  ]);
  expect(rangesOf([2], [[1, 3]])).toEqual([[1, 3]]);
});

it("leaves the ranges before as they are", () => {
  const before: ReadonlyArray<readonly [number, number]> = [[1, 3]];
  rangesOf([4], before);
  expect(before).toEqual([[1, 3]]);
});

it("cuts ranges at a UID", () => {
  const ranges = [
    [1, 3],
    [5, 9],
  ] as const;
  expect(rangesBelow(ranges, 7)).toEqual([
    [1, 3],
    [5, 6],
  ]);
  expect(rangesBelow(ranges, 5)).toEqual([[1, 3]]);
  expect(rangesBelow(ranges, 1)).toEqual([]);
  expect(rangesWithout(ranges, 4)).toBe(ranges);
  expect(rangesWithout(ranges, 6)).toEqual([
    [1, 3],
    [5, 5],
    [7, 9],
  ]);
  expect(rangesWithout(ranges, 5)).toEqual([
    [1, 3],
    [6, 9],
  ]);
  expect(rangesWithout([[4, 4]], 4)).toEqual([]);
});

it("finds the UID at a position, counted from 1", () => {
  const ranges = [
    [2, 3],
    [7, 8],
  ] as const;
  expect([0, 1, 2, 3, 4, 5].map((position) => uidAt(ranges, position))).toEqual([undefined, 2, 3, 7, 8, undefined]);
  expect(countIn(ranges)).toBe(4);
});

it("treats ranges as the sets of their UIDs", () => {
  fc.assert(
    fc.property(uids, uids, fc.integer({ min: 0, max: 41 }), (one, other, uid) => {
      const ranges = rangesOf(one);
      expect(countIn(ranges)).toBe(one.length);
      expect(isIn(ranges, uid)).toBe(one.includes(uid));
      expect(rangesBelow(ranges, uid)).toEqual(rangesOf(one.filter((each) => each < uid)));
      expect(uidsMissing(ranges, rangesOf(other))).toEqual(one.filter((each) => !other.includes(each)));
      expect(uidAt(ranges, uid)).toBe(one[uid - 1]);
      expect(rangesWithout(ranges, uid)).toEqual(rangesOf(one.filter((each) => each !== uid)));
      const higher = other.map((each) => each + 40);
      expect(rangesOf(higher, ranges)).toEqual(rangesOf([...one, ...higher]));
    }),
  );
});
