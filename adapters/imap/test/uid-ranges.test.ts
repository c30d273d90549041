import { rangesOf } from "@postern/core/watch";
import fc from "fast-check";
import { expect, it } from "vitest";
import { rangesWithout, uidAt, missingUids } from "../src/following/uid-ranges.ts";

const uids = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
  .map((some) => some.toSorted((one, other) => one - other));

it("takes a UID out of ranges", () => {
  const ranges = [
    [1, 3],
    [5, 9],
  ] as const;
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
});

it("treats ranges as the sets of their UIDs", () => {
  fc.assert(
    fc.property(uids, uids, fc.integer({ min: 0, max: 41 }), (one, other, uid) => {
      const ranges = rangesOf(one);
      expect(missingUids(ranges, rangesOf(other))).toEqual(one.filter((each) => !other.includes(each)));
      expect(uidAt(ranges, uid)).toBe(one[uid - 1]);
      expect(rangesWithout(ranges, uid)).toEqual(rangesOf(one.filter((each) => each !== uid)));
    }),
  );
});
