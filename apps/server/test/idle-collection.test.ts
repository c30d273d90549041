import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextIdleness, STARTED } from "../src/process/idle-collection.ts";

const MIB = 1 << 20;
const IDLE = { utilization: 0.02, heap: 100 * MIB };
const BUSY = { utilization: 0.5, heap: 100 * MIB };

/** Returns for each look whether a collection was due. After a collection, the heap has the size `heapLeft`. */
const dueAt = (looks: ReadonlyArray<typeof IDLE>, heapLeft: number) => {
  let idleness = STARTED;
  return looks.map((look) => {
    const { next, isDue } = nextIdleness(idleness, look);
    idleness = isDue ? { looks: 0, heapLeft } : next;
    return isDue;
  });
};

describe("the collection of an idle process", () => {
  it("runs once, at the third idle look after the last busy one", () => {
    expect(dueAt([IDLE, IDLE, BUSY, IDLE, IDLE, IDLE, IDLE, IDLE, IDLE, IDLE], 90 * MIB)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("runs again when the heap has grown since", () => {
    const grown = { utilization: 0, heap: 117 * MIB };
    expect(dueAt([IDLE, IDLE, IDLE, IDLE, grown, grown], 100 * MIB)).toEqual([false, false, true, false, false, true]);
  });

  it("never interrupts a busy process, and never runs twice for the same heap", () => {
    const look = fc.record({ utilization: fc.double({ min: 0, max: 1, noNaN: true }), heap: fc.constant(100 * MIB) });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
        const due = dueAt(looks, 100 * MIB);
        expect(due.filter(Boolean).length).toBeLessThanOrEqual(1);
        for (const [n, isDue] of due.entries()) if (isDue) expect(looks[n]!.utilization).toBeLessThanOrEqual(0.25);
      }),
    );
  });

  it.each(["package.json", "Dockerfile", "apps/server/deploy/postern.service"])(
    "is possible as %s starts Node",
    (file) => {
      expect(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8")).toMatch(
        /--expose-gc.*apps\/server\/start/,
      );
    },
  );
});
