import * as fc from "fast-check";
import { expect, it } from "vitest";
import { deliveryId } from "../src/webhooks/delivery-id.ts";

const time = fc.oneof(fc.integer({ min: 0, max: 36 ** 6 }), fc.integer({ min: 0, max: 9e13 }));
const position = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 36 ** 7 - 1 }));
const random = fc.constantFrom("", "0000", "zzzz");

it("sorts deliveries by their time, then by the position of their events", () => {
  fc.assert(
    fc.property(fc.tuple(time, position, random), fc.tuple(time, position, random), (one, other) => {
      const order = Math.sign(one[0] - other[0] || one[1] - other[1]);
      const [first, second] = [deliveryId(...one), deliveryId(...other)];
      if (order !== 0) expect(first < second ? -1 : 1).toBe(order);
    }),
  );
});

it("gives ids of the same length", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9e13 }), position, (now, at) => {
      expect(deliveryId(now, at, "r")).toMatch(/^del_[0-9a-z]{16}r$/);
    }),
  );
});
