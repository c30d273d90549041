import { expect, test } from "vitest";
import { uidSet } from "../src/wire/uid-set.ts";

test.each([
  [[7], "7"],
  [[3, 1, 12], "1,3,12"],
  [[10, 9, 3, 2, 1, 100], "1:3,9:10,100"],
  [[2, 2, 1], "1:2"],
])("the UIDs %j are named in ascending order, each once", (uids, set) => {
  expect(uidSet(uids)).toBe(set);
});
