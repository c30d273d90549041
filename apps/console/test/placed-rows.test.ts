import { expect, test } from "vitest";
import type { Email } from "../src/mail/emails/email.ts";
import { placedRows } from "../src/mail/list/placed-rows.ts";

/** Messages by number. A message with a higher number arrived later. */
const page = (total: number, ...numbers: ReadonlyArray<number>) => ({
  total,
  emails: numbers.map((n) => ({ id: String(n), folder: "INBOX", date: new Date(n).toISOString() }) as Email),
});

/** Returns the rows while a page is followed: the first, or `followed`. */
const shown = (total: number, pages: ReadonlyArray<readonly [number, ReturnType<typeof page>]>, followed = 1) =>
  placedRows(new Map(pages), total, 3, [followed])
    .map((row) => row?.id ?? ".")
    .join(" ");

const BEFORE = [
  [1, page(7, 7, 6, 5)],
  [2, page(7, 4, 3, 2)],
] as const;

test("rows have the places of their pages, latest arrival first", () => {
  const read = [
    [1, page(8, 8, 6, 7)],
    [3, page(8, 2, 1)],
  ] as const;
  expect(shown(8, read)).toBe("8 7 6 . . . 2 1");
});

test("after arrivals, pages that are not followed move down, and each message has one row", () => {
  expect(shown(8, [...BEFORE, [3, page(8, 2, 1)]], 3)).toBe(". 7 6 5 4 3 2 1");
  expect(shown(8, [[1, page(8, 8, 7, 6)], BEFORE[1], [3, page(7, 1)]])).toBe("8 7 6 . 4 3 2 1");
});

test("a followed page stays where it is until it is read again", () => {
  expect(shown(8, [BEFORE[0], [2, page(8, 5, 4, 3)]])).toBe("7 6 . 5 4 3 . .");
});

test("after removals, the pages that are current keep their rows", () => {
  expect(
    shown(6, [
      [1, page(6, 8, 7, 5)],
      [2, page(8, 5, 4, 3)],
      [3, page(8, 2, 1)],
    ]),
  ).toBe("8 7 5 3 2 1");
});
