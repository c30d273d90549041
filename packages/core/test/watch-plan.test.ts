import type { AccountId } from "../src/shared/index.ts";
import type { AccountWatch } from "../src/watch/index.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { watchPlan } from "../src/arrivals/watch-plan.ts";

const held = (count: number): ReadonlyArray<AccountWatch> =>
  Array.from({ length: count }, (_, n) => ({ account: `${n}@x.test` as AccountId, epoch: n }) as AccountWatch);

it("a node ends up with its share of the accounts, ⌈accounts / nodes⌉ [S9.4-2]", () => {
  const counts = { accounts: fc.integer({ min: 0, max: 200 }), nodes: fc.integer({ min: 1, max: 9 }) };
  fc.assert(
    fc.property(fc.record({ ...counts, had: fc.nat(200) }), ({ accounts, nodes, had }) => {
      const { release, claim } = watchPlan(new Map(), held(had), accounts, nodes);
      expect(had - release.length + claim).toBe(Math.ceil(accounts / nodes));
    }),
  );
});

it("stops watches that it lost, even if only for a time, and begins those that it does not have yet", () => {
  const running = new Map([
    ["0@x.test" as AccountId, 0],
    ["1@x.test" as AccountId, 7],
    ["9@x.test" as AccountId, 1],
  ]);
  const { stop, begin } = watchPlan(running, held(3), 3, 1);
  expect(stop).toEqual(["1@x.test", "9@x.test"]);
  expect(begin.map(({ account }) => account)).toEqual(["1@x.test", "2@x.test"]);
});
