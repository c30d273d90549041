import { expect, test } from "vitest";
import { type SearchTerms, searchTerms } from "../src/mail/emails/search-terms.ts";

const terms = (more: Partial<SearchTerms>): SearchTerms => ({
  criteria: {},
  folder: undefined,
  isPlaced: false,
  unknown: [],
  ...more,
});

test.each<readonly [search: string, expected: Partial<SearchTerms>]>([
  ["harvest", { criteria: { text: "harvest" } }],
  ["red  barn", { criteria: { text: "red barn" } }],
  ['"ripe red apples"', { criteria: { text: "ripe red apples" } }],
  ["“ripe red apples”", { criteria: { text: "ripe red apples" } }],
  ['"unclosed phrase', { criteria: { text: "unclosed phrase" } }],
  ["from:priya", { criteria: { from: "priya" } }],
  ["FROM:Priya", { criteria: { from: "Priya" } }],
  ['from:"Priya N" harvest', { criteria: { from: "Priya N", text: "harvest" } }],
  ["to:ann cc:bob subject:plan", { criteria: { to: "ann", cc: "bob", subject: "plan" } }],
  ["has:attachment", { criteria: { hasAttachments: true } }],
  ["is:unread is:starred", { criteria: { unread: true, flagged: true } }],
  ["is:read", { criteria: { unread: false } }],
  ["after:2026-03-01 before:2026/4/1", { criteria: { since: "2026-03-01", before: "2026-04-01" } }],
  ["in:archive harvest", { criteria: { text: "harvest" }, folder: "archive", isPlaced: true }],
  ['in:"Big plans"', { folder: "Big plans", isPlaced: true }],
  ["in:all harvest", { criteria: { text: "harvest" }, isPlaced: true }],
  // What looks like an operator in ordinary text.
  ["https://one.example/a", { criteria: { text: "https://one.example/a" } }],
  ["10:30 e-mail", { criteria: { text: "10:30 e-mail" } }],
  // What the API cannot search for is never dropped in silence.
  ["colour:red harvest", { criteria: { text: "harvest" }, unknown: ["colour:red"] }],
  ["harvest -frost", { criteria: { text: "harvest" }, unknown: ["-frost"] }],
  ['-from:ann -"a phrase"', { unknown: ["-from:ann", '-"a phrase"'] }],
  ["from:ann from:bob", { criteria: { from: "ann" }, unknown: ["from:bob"] }],
  ["is:unread is:read", { criteria: { unread: true }, unknown: ["is:read"] }],
  ["before:2026-02-30 after:yesterday", { unknown: ["before:2026-02-30", "after:yesterday"] }],
  ["has:wings is:bold", { unknown: ["has:wings", "is:bold"] }],
  ['harvest "red apples"', { criteria: { text: "harvest" }, unknown: ['"red apples"'] }],
  ["in:sent in:archive", { folder: "sent", isPlaced: true, unknown: ["in:archive"] }],
  ['from:"" harvest', { criteria: { text: "harvest" }, unknown: ['from:""'] }],
  ["", {}],
])("reads the search %s", (search, expected) => {
  expect(searchTerms(search)).toEqual(terms(expected));
});
