import { Result } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSearch } from "../../src/messages/search/read-search.ts";

const read = (q: string) => Result.getOrThrow(readSearch(q));
const faults = (q: string) =>
  Result.match(readSearch(q), { onSuccess: () => [], onFailure: (all) => all.map(({ message }) => message) });

describe("a search in one line", () => {
  it.each([
    ["harvest", { text: "harvest" }],
    ['"ripe red apples"', { text: "ripe red apples" }],
    ["from:priya", { from: "priya" }],
    ['FROM:"Priya Rao" to:team cc:dora subject:plan', { from: "Priya Rao", to: "team", cc: "dora", subject: "plan" }],
    [
      "has:attachment is:unread is:flagged label:Work",
      { hasAttachments: true, unread: true, flagged: true, label: "Work" },
    ],
    ["in:Archive/2024 is:read", { folder: "Archive/2024", unread: false }],
    ["after:2026-03-01", { since: "2026-03-01T00:00:00Z" }],
    ["before:2026-03-01+02:00", { before: "2026-03-01T00:00:00+02:00" }],
    ["before:2026-03-01T10:00:00Z", { before: "2026-03-01T10:00:00Z" }],
    [
      "https://x.test/a 12:30",
      { text: "https://x.test/a", terms: [{ field: "text", text: "12:30", isExcluded: false }] },
    ],
    ["“red apples", { text: "red apples" }],
  ])("reads %s [S5.4-9]", (q, wanted) => {
    expect(read(q)).toEqual(wanted);
  });

  it("keeps each further text and each excluded one as a term [S5.4-9]", () => {
    expect(read('harvest plan -"red apples" from:bo from:cem -subject:barn')).toEqual({
      text: "harvest",
      from: "bo",
      terms: [
        { field: "text", text: "plan", isExcluded: false },
        { field: "text", text: "red apples", isExcluded: true },
        { field: "from", text: "cem", isExcluded: false },
        { field: "subject", text: "barn", isExcluded: true },
      ],
    });
  });

  it("names what it does not understand [S5.4-10]", () => {
    expect(faults("colour:red harvest size:4")).toEqual([
      expect.stringMatching(/^colour: is no operator/),
      expect.stringMatching(/^size: is no operator/),
    ]);
    expect(faults("constructor:x __proto__:y")).toHaveLength(1);
    expect(faults("is:blue")).toEqual(["is: must be is:unread, is:read, is:flagged or is:unflagged"]);
    expect(faults("is:constructor")).toHaveLength(1);
    expect(faults("has:wings")).toEqual(["has: must be has:attachment"]);
    expect(faults("before:2026-02-30")).toHaveLength(1);
    expect(faults("from:")).toEqual(["from: needs a value"]);
    expect(faults("-in:Junk")).toEqual(["in: must not follow a minus"]);
    expect(faults("is:read is:unread")).toEqual(["is: is given twice"]);
    expect(faults('""')).toEqual(["must have a word"]);
  });

  it("reads each word and phrase of any text, and fails only with named faults", () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}.@/]{1,12}$/u);
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.boolean(),
            fc.constantFrom("", "from:", "subject:"),
            fc.array(word, { minLength: 1, maxLength: 3 }),
          ),
        ),
        (parts) => {
          const q = parts
            .map(([isOut, operator, words]) => `${isOut ? "-" : ""}${operator}"${words.join(" ")}"`)
            .join(" ");
          if (parts.length === 0) return;
          const { terms = [], ...fields } = read(q);
          expect(Object.keys(fields).length + terms.length).toBe(parts.length);
          expect(terms.filter(({ isExcluded }) => isExcluded)).toHaveLength(parts.filter(([isOut]) => isOut).length);
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("-", ":", '"', "“", " ", "a", "is", "in") })),
        (q) => {
          for (const message of faults(q)) expect(message).not.toBe("");
        },
      ),
    );
  });
});
