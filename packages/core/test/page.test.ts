import { clampLimit, pageCount, pageRange } from "../src/messages/page.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("pages", () => {
  it("cover every position exactly once, newest first", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 200 }), (total, limit) => {
        const seen: Array<number> = [];
        for (let page = 1; page <= pageCount(total, limit); page++) {
          const { first, last } = pageRange(total, page, limit);
          expect(last - first + 1).toBeLessThanOrEqual(limit);
          for (let position = last; position >= first; position--) seen.push(position);
        }
        expect(seen).toEqual(Array.from({ length: total }, (_, n) => total - n));
      }),
    );
  });

  it("are empty beyond the last page [S5.1-3]", () => {
    expect(pageRange(45, 3, 20)).toEqual({ first: 1, last: 5 });
    expect(pageRange(45, 4, 20).last).toBe(0);
    expect(pageRange(45, 2 ** 31 - 1, 200).last).toBe(0);
    expect(pageRange(0, 1, 20).last).toBe(0);
  });

  it("hold 20 messages by default and at most 200 [S5.1-1]", () => {
    expect([undefined, 1, 50, 200, 201, 2 ** 31 - 1].map(clampLimit)).toEqual([20, 1, 50, 200, 200, 200]);
  });
});
