import { describe, expect, it } from "vitest";
import { codesIn } from "../../src/lifecycle/codes-in.ts";
import { MAILS_WITH_CODES, MAILS_WITHOUT_CODES } from "./mails-with-codes.ts";

describe("the codes of a message", () => {
  it("are correct in 98 of 100 mails of services, and other mails have none [S5.6-5]", () => {
    const wrong = [
      ...MAILS_WITH_CODES.map(([subject, text, ...codes]) => ({ subject, text, codes })),
      ...MAILS_WITHOUT_CODES.map(([subject, text]) => ({ subject, text, codes: [] })),
    ].flatMap(({ subject, text, codes }) => {
      const found = codesIn(subject, text);
      return found.join() === codes.join() ? [] : [{ subject, text, codes, found }];
    });
    const all = MAILS_WITH_CODES.length + MAILS_WITHOUT_CODES.length;
    expect(all).toBeGreaterThan(160);
    expect(wrong.length / all, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.02);
  });

  it("are looked for in the first 20,000 characters, in time that grows with the text alone", () => {
    expect(codesIn("", `${"x ".repeat(9_980)}\nYour code: 482913`)).toEqual(["482913"]);
    expect(codesIn("", `${"x ".repeat(10_001)}\nYour code: 482913`)).toEqual([]);
    for (const hostile of ["code ", "code 1 ", "1 ", "A-", "a@", "no. ", "(1) "])
      expect(codesIn(hostile.repeat(5_000), hostile.repeat(5_000)).length).toBeLessThan(20_001);
  });
});
