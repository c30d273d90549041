import { countIn, isIn, rangesBelow, rangesOf } from "../src/watch/index.ts";
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

it("does not change the ranges that it is given", () => {
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
});

it("treats ranges as the sets of their UIDs", () => {
  fc.assert(
    fc.property(uids, uids, fc.integer({ min: 0, max: 41 }), (one, other, uid) => {
      const ranges = rangesOf(one);
      expect(countIn(ranges)).toBe(one.length);
      expect(isIn(ranges, uid)).toBe(one.includes(uid));
      expect(rangesBelow(ranges, uid)).toEqual(rangesOf(one.filter((each) => each < uid)));
      const higher = other.map((each) => each + 40);
      expect(rangesOf(higher, ranges)).toEqual(rangesOf([...one, ...higher]));
    }),
  );
});
