import { expect, test } from "vitest";
import { hasLabel, labelsAfter } from "../src/mail/actions/labels.ts";

const message = (...labels: ReadonlyArray<string>) => ({ id: "m1", labels });

test("adds and removes a label without case, and keeps the spelling that a message has", () => {
  expect(labelsAfter(message("Work"), "Later", true)).toEqual(["Work", "Later"]);
  expect(labelsAfter(message("Work", "LATER"), "Later", true)).toEqual(["Work", "LATER"]);
  expect(labelsAfter(message("Work", "LATER"), "Later", false)).toEqual(["Work"]);
  expect(labelsAfter({ id: "m1" }, "Later", true)).toEqual(["Later"]);
  expect([hasLabel(message("LATER"), "later"), hasLabel({ id: "m1" }, "later")]).toEqual([true, false]);
});
