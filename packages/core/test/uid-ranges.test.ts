import { countIn, isIn, rangesBelow, rangesOf, rangesWithout, uidAt, uidsMissing } from "../src/watch/index.ts";
import fc from "fast-check";
import { expect, it } from "vitest";

const uids = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
  .map((some) => some.toSorted((one, other) => one - other));

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
