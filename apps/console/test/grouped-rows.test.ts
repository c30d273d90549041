import { expect, test } from "vitest";
import type { Email } from "../src/mail/emails/email.ts";
import { groupedRows, reverseRows, rowsWithoutGroups } from "../src/mail/list/grouped-rows.ts";

const email = (id: string, threadId: string | null) => ({ id, threadId }) as Email;

/**
 * Returns a row for each letter, which names its conversation. Capitals have no conversation, and `.` is a row that was
 * not loaded.
 */
const rowsOf = (letters: string) =>
  [...letters].map((one, n) => (one === "." ? undefined : email(`${one}${n}`, /[A-Z]/.test(one) ? null : one)));

const shown = ({ rows }: { readonly rows: ReadonlyArray<Email | undefined> }) =>
  rows.map((row) => row?.id ?? ".").join(" ");

test("a conversation has one row, at the place of its latest message", () => {
  const grouped = groupedRows(rowsOf("abXa.cbaX"), new Set());
  expect(shown(grouped)).toBe("a0 b1 X2 . c5 X8");
  expect(grouped.positions).toEqual([0, 1, 2, 4, 5, 8]);
  expect([...grouped.conversations].map(([id, { emails }]) => [id, emails.map((one) => one.id)])).toEqual([
    ["a0", ["a0", "a3", "a7"]],
    ["b1", ["b1", "b6"]],
  ]);
});

test("the messages of an open conversation follow its latest one", () => {
  expect(shown(groupedRows(rowsOf("abXa.cbaX"), new Set(["a"])))).toBe("a0 a3 a7 b1 X2 . c5 X8");
});

test("every fetched message is in a row or grouped under one, and rows that were not fetched stay", () => {
  let texts = [""];
  for (let length = 1; length <= 6; length++) {
    texts = texts.flatMap((text) => [..."abX."].map((letter) => text + letter));
    for (const [text, open] of texts.flatMap((one) => [[one, []] as const, [one, ["a"]] as const])) {
      const all = rowsOf(text);
      const { rows, positions, conversations, heads } = groupedRows(all, new Set<string>(open));
      const folded = [...heads].flatMap(([id, head]) => (conversations.get(head.id)!.isOpen ? [] : [id]));
      const ids = (some: ReadonlyArray<Email | undefined>) =>
        some.flatMap((row) => (row === undefined ? [] : [row.id]));
      expect([...ids(rows), ...folded].toSorted()).toEqual(ids(all).toSorted());
      expect(rows.filter((row) => row === undefined)).toHaveLength(all.filter((row) => row === undefined).length);
      expect(positions.map((position) => all[position])).toEqual(rows);
    }
  }
});

test("with the oldest first, open conversations stay below their latest message, and each row has its position", () => {
  const grouped = groupedRows(rowsOf("abXa.cbaX"), new Set(["a"]));
  expect(shown(reverseRows(grouped))).toBe("X8 c5 . X2 b1 a0 a3 a7");
  expect(reverseRows(grouped).positions).toEqual([8, 5, 4, 2, 1, 0, 3, 7]);
  expect(shown(reverseRows(rowsWithoutGroups(rowsOf("ab.a"))))).toBe("a3 . b1 a0");
  expect(reverseRows(rowsWithoutGroups([])).rows).toEqual([]);
});

test("without grouping, rows stay as they are", () => {
  const all = rowsOf("ab.a");
  expect(rowsWithoutGroups(all).rows).toBe(all);
  expect(rowsWithoutGroups(all).positions).toEqual([0, 1, 2, 3]);
});
