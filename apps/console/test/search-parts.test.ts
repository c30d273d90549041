import { expect, test } from "vitest";
import type { Email } from "../src/mail/emails/email.ts";
import { completions, type Known } from "../src/mail/search/completions.ts";
import { fieldsOf, writeFields } from "../src/mail/search/search-fields.ts";
import { searchParts } from "../src/mail/search/search-parts.ts";
import type { Folder } from "../src/shell/folders.ts";

test.each([
  ["harvest -frost", ["harvest", "-frost"]],
  ['from:"Priya N" "ripe red apples" -"no frost"', ['from:"Priya N"', '"ripe red apples"', '-"no frost"']],
  ["https://one.example/a 12:30", ["https://one.example/a", "12:30"]],
  ["  ", []],
])("%s is divided into its parts", (search, parts) => {
  expect(searchParts(search).map(({ text }) => text)).toEqual(parts);
});

test("a part has its operator and its value without quotes", () => {
  expect(searchParts('FROM:"Priya N" -colour:red')).toEqual([
    { text: 'FROM:"Priya N"', operator: "from", value: "Priya N", isExcluded: false },
    { text: "-colour:red", operator: "colour", value: "red", isExcluded: true },
  ]);
});

const known: Known = {
  folders: [
    { id: "1", role: "inbox", path: "INBOX", name: "INBOX", selectable: true },
    { id: "2", role: null, path: "Big plans", name: "Big plans", selectable: true },
    { id: "3", role: null, path: "Parent", name: "Parent", selectable: false },
  ] as unknown as ReadonlyArray<Folder>,
  labels: ["Work"],
  emails: [{ from: "priya@x.test", fromName: "Priya Rao", to: [], cc: [] }] as unknown as ReadonlyArray<Email>,
  earlier: ["from:priya"],
  now: Date.UTC(2026, 2, 1, 12),
};

test.each([
  ["", ["from:priya"]],
  ["fr", ["from:"]],
  ["harvest s", ["harvest subject:"]],
  ["harvest ", []],
  ["from:rao", ["from:priya@x.test "]],
  ["harvest in:big", ['harvest in:"Big plans" ']],
  ["in:p", ['in:"Big plans" ']],
  ["label:w", ["label:Work "]],
  ["is:un", ["is:unread ", "is:unflagged "]],
  ["after:2026-03", ["after:2026-03-01 "]],
  ["has:attachment", []],
  ["colour:", []],
])("%j is completed", (typed, searches) => {
  expect(completions(typed, known).map(({ search }) => search)).toEqual(searches);
});

test.each([
  "from:priya subject:barn",
  'from:"Priya N" after:2026-03-01 in:archive has:attachment is:unread is:flagged harvest "red apples" -frost -"no ice"',
  "from:ann from:bob before:2026-03-01+02:00 -subject:plan cc:dora",
])("%s has the same parts after the form", (search) => {
  const texts = (one: string) => searchParts(one).map(({ text }) => text);
  expect(texts(writeFields(fieldsOf(search))).toSorted()).toEqual(texts(search).toSorted());
});

test("fields are written as a search", () => {
  const none = fieldsOf("");
  expect(writeFields({ ...none, from: "Priya Rao", words: "plan", without: "frost ice", folder: "Big plans" })).toBe(
    'from:"Priya Rao" in:"Big plans" plan -frost -ice',
  );
  expect(writeFields({ ...none, subject: 'a "b" c' })).toBe('subject:"a  b  c"');
});
