import * as fc from "fast-check";
import { expect, it } from "vitest";
import { completeBatch, recount, startEmptying } from "../src/folders/folder-removal-state.ts";

type Removal = Parameters<typeof recount>[0];
type Listed = Parameters<typeof recount>[1][number];

const count = fc.integer({ min: 0, max: 1_000 });
const hiddenPath = ".removed-1";
const removal = (moved: number, remaining: number) =>
  ({ hiddenPath, path: "Bills", delimiter: "/", moved, remaining }) as Removal;
const mailbox = (path: string, total: number) => ({ path, status: { total } }) as Listed;

it("counts missing messages of hidden mailboxes as moved, and new ones as remaining", () => {
  fc.assert(
    fc.property(count, count, count, count, (moved, remaining, own, ofChild) => {
      const listed = [mailbox(hiddenPath, own), mailbox(`${hiddenPath}/2023`, ofChild), mailbox("INBOX", 7)];
      const found = recount(removal(moved, remaining), listed);
      expect(found.remaining).toBe(own + ofChild);
      expect(found.moved).toBe(moved + Math.max(0, remaining - own - ofChild));
      expect(startEmptying(removal(moved, remaining), listed)).toMatchObject({ moved: 0, remaining: own + ofChild });
    }),
  );
});

it("keeps the sum of moved and remaining messages over a batch", () => {
  fc.assert(
    fc.property(count, count, count, (moved, remaining, batch) => {
      const size = Math.min(batch, remaining);
      const after = completeBatch(removal(moved, remaining), size);
      expect([after.moved, after.remaining]).toEqual([moved + size, remaining - size]);
    }),
  );
});
