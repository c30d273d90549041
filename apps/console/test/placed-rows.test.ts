import { expect, test } from "vitest";
import type { Email } from "../src/mail/email.ts";
import { placedRows } from "../src/mail/placed-rows.ts";

/** Messages by their numbers, of which the highest arrived last. */
const page = (total: number, ...numbers: ReadonlyArray<number>) => ({
  total,
  emails: numbers.map((n) => ({ id: String(n), folder: "INBOX", date: new Date(n).toISOString() }) as Email),
});

const shown = (total: number, ...pages: ReadonlyArray<readonly [number, ReturnType<typeof page>]>) =>
  placedRows(new Map(pages), total, 3)
    .map((row) => row?.id ?? ".")
    .join(" ");

test("rows have the places of their pages, latest arrival first", () => {
  expect(shown(8, [1, page(8, 8, 6, 7)], [3, page(8, 2, 1)])).toBe("8 7 6 . . . 2 1");
});

test("where messages arrived meanwhile, pages that were read before move down, and each message has one row", () => {
  expect(shown(8, [1, page(7, 7, 6, 5)], [2, page(7, 4, 3, 2)], [3, page(8, 2, 1)])).toBe(". 7 6 5 4 3 2 1");
  expect(shown(8, [1, page(8, 8, 7, 6)], [2, page(7, 4, 3, 2)], [3, page(7, 1)])).toBe("8 7 6 . 4 3 2 1");
});

test("where messages left meanwhile, the pages that are current keep their rows", () => {
  expect(shown(6, [1, page(6, 8, 7, 5)], [2, page(8, 5, 4, 3)], [3, page(8, 2, 1)])).toBe("8 7 5 3 2 1");
});
