import { describe, expect, it } from "vitest";
import {
  beginsAttribution,
  isAttribution,
  isDivider,
  isFullAttribution,
  isHeader,
  isOriginal,
  mayBeAttribution,
  wordsBeforeAttribution,
} from "../../src/messages/quote-marks.ts";

const FULL = "On Monday, 2 November 2026 at 10:00, Bob <bob@example.org> wrote:";

describe("an attribution", () => {
  it.each([
    ["a person and the verb", "Bob Builder <bob@example.org> writes:"],
    ["Horde", "Quoting Bob <bob@example.org>:"],
    ["a date and an address", "Bob Builder, the 2nd <bob@example.org> (2026):"],
    ["a date and a time after a first word", "Den 2 nov 2026 10:00 Bob:"],
    ["a date by numbers", "2/11/2026 Bob wrote:"],
    ["marks of direction", "\u200fOn Mon, 2 Nov 2026, Bob wrote:\u200e"],
  ])("has %s", (_, line) => {
    expect(isAttribution(line)).toBe(true);
  });

  it.each([
    ["no address and no date", "Bob Builder writes:"],
    ["no colon", "Quoting Bob <bob@example.org>"],
    ["an address without a date", "Bob Builder <bob@example.org>:"],
    ["an address and a date without a colon", "Bob Builder <bob@example.org> (2026)"],
    ["a date without a time or an address", "Den 2 nov 2026 Bob:"],
    ["a date and a time within a sentence", "The meeting room of 2026 at 10:00:"],
  ])("is not a line with %s", (_, line) => {
    expect(isAttribution(line)).toBe(false);
  });

  it("has up to 600 characters, without marks of direction", () => {
    const of = (length: number) => `Bob <bob@example.org> 2026 ${"x".repeat(length - 28)}:`;
    expect(of(600)).toHaveLength(600);
    expect([of(600), of(601), `\u200f${of(600)}`].map(isAttribution)).toEqual([true, false, true]);
  });

  it("begins on a line with its date and no end of a sentence", () => {
    const begin = "On Mon, 2 Nov 2026";
    const lines = [`${begin},`, `${begin} at 10:00`, `${begin} at 10:00 pm `, `${begin} at 10h00`];
    expect(lines.filter((line) => !beginsAttribution(line))).toEqual([]);
    const others = [`${begin} we met`, "On Monday,", "The budget of the year 2026,", "Bob,"];
    expect(others.filter(beginsAttribution)).toEqual([]);
  });

  it("may go on in a line with its first word or a date", () => {
    expect(["On Monday", "in the autumn of the year 2026", "Bob Builder"].map(mayBeAttribution)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("the attribution of a quote without marks", () => {
  it.each([
    FULL,
    ` ${FULL} `,
    `${FULL}  Does Tuesday work?`,
    "---- On Mon, 02 Nov 2026 10:00:00 +0100 Bob <bob@example.org> wrote ----",
  ])("is %s", (line) => {
    expect(isFullAttribution(line)).toBe(true);
  });

  it.each([
    ["a first word", "Yesterday (Monday, 2 November 2026) at 10:00, Bob <bob@example.org> wrote:"],
    ["a date", "On Monday at 10:00, Bob <bob@example.org> wrote:"],
    ["a time", "On Monday, 2 November 2026, Bob <bob@example.org> wrote:"],
    ["an address", "On Monday, 2 November 2026 at 10:00, Bob wrote:"],
    ["an end", "On Monday, 2 November 2026 at 10:00, Bob <bob@example.org> wrote"],
    ["an end before the text", `${FULL} Does Tuesday work?`],
  ])("has %s", (_, line) => {
    expect(isFullAttribution(line)).toBe(false);
  });

  it("has up to 400 characters", () => {
    const of = (length: number) => FULL.replace("Bob", "B".repeat(length - FULL.length + 3));
    expect(of(400)).toHaveLength(400);
    expect([of(400), of(401)].map(isFullAttribution)).toEqual([true, false]);
  });
});

describe("an attribution behind a sentence", () => {
  it("is cut off from it", () => {
    expect(wordsBeforeAttribution(`Works. ${FULL}`)).toEqual(["Works.", FULL]);
    expect(wordsBeforeAttribution(`(Really?)   ${FULL}`)).toEqual(["(Really?)", FULL]);
  });

  it("is not any other line", () => {
    for (const line of [FULL, `Works ${FULL}`, "Works. On we go", "Works.", ""])
      expect(wordsBeforeAttribution(line)).toBeUndefined();
  });

  it("is in a line of up to 1000 characters", () => {
    const of = (length: number) => `${"x".repeat(length - FULL.length - 2)}. ${FULL}`;
    expect(wordsBeforeAttribution(of(1_000))?.[1]).toBe(FULL);
    expect(wordsBeforeAttribution(of(1_001))).toBeUndefined();
  });
});

describe("the header of an original message", () => {
  const DATED = "Sent: Monday, 2 November 2026 10:00";

  it("needs the author, a date with a time, and a subject or the author's address", () => {
    const is = (...lines: ReadonlyArray<string>) => isHeader(lines, false);
    expect(is("From: Bob", DATED, "Subject: Plan")).toBe(true);
    expect(is("From: bob@example.org", DATED, "To: Ann")).toBe(true);
    expect(is("From: Bob", "", DATED, "", "Subject: Plan", "Hello")).toBe(true);
    expect(is("From: Bob", DATED, "To: ann@example.org")).toBe(false);
    expect(is("Cc: Bob", DATED, "Subject: Plan")).toBe(false);
    expect(is("From: Bob", "Sent: 2 November 2026", "Subject: at 10:00")).toBe(false);
    expect(is("From: Bob", "Sent: at 10:00", "Subject: Plan")).toBe(false);
    expect(is("From: bob@example.org", DATED)).toBe(false);
    expect(is("From: bob@example.org", DATED, "Hello", "To: Ann")).toBe(false);
    expect(is("From Bob", DATED, "Subject Plan")).toBe(false);
    expect(is("Hello", "From: Bob", DATED, "Subject: Plan")).toBe(false);
  });

  it("below a divider needs the author and two other fields, with or without colons", () => {
    const is = (...lines: ReadonlyArray<string>) => isHeader(lines, true);
    expect(is("From: Bob", "Sent: Monday", "To: Ann")).toBe(true);
    expect(is("From Bob", "Sent Monday", "To Ann")).toBe(true);
    expect(is("From: Bob", "Sent: Monday")).toBe(false);
    expect(is("From: Bob", "Sent: Monday", "Hello", "To: Ann")).toBe(false);
    expect(is("Subject: Plan", "Sent: Monday", "To: Ann")).toBe(false);
  });
});

it("a divider is a line of signs, words between dashes, or an announcement of a forward", () => {
  const dividers = ["-----", " _____ ", "=====", "-- Forwarded --", "Begin forwarded message:"];
  expect(dividers.filter((line) => !isDivider(line))).toEqual([]);
  expect(["----", "Forwarded", "Begin forwarded message", ""].filter(isDivider)).toEqual([]);
  expect([" -----Original Message----- ", "-----Original plan-----"].map(isOriginal)).toEqual([true, false]);
});
