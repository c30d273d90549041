import { expect, it } from "vitest";
import { nearestName } from "../src/wire/nearest-name.ts";

it.each([
  ["txt", ["to", "text", "html"], "text"],
  ["subjct", ["subject", "to"], "subject"],
  ["flaged", ["unread", "flagged"], "flagged"],
  ["form", ["from", "to"], "from"],
  ["Subject", ["subject"], "subject"],
  ["folderID", ["folder", "folderId"], "folderId"],
  ["zzz", ["to", "cc"], undefined],
  ["x".repeat(10_000), ["to"], undefined],
])("%s means the nearest of %s", (given, known, nearest) => expect(nearestName(given, known)).toBe(nearest));
