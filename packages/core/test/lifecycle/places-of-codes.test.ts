import { describe, expect, it } from "vitest";
import { codesIn } from "../../src/lifecycle/codes-in.ts";
import { linksIn } from "../../src/lifecycle/links-in.ts";

const CODE = "482913";
const lines = (...text: ReadonlyArray<string>) => codesIn("Hello", text.join("\n"));

describe("a code on its own line", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["in the fourth line above", ["Code:", "a", "b", "c", CODE], [CODE]],
    ["in the fifth line above", ["Code:", "a", "b", "c", "d", CODE], []],
    ["in the line below", [CODE, "is your code"], [CODE]],
    ["in the second line below", ["a", "b", "c", "d", "e", "f", CODE, "a", "is your code"], []],
    ["nowhere", [CODE, "is a number"], []],
    ["above, and empty lines do not count", ["Code:", "", "a", "", "b", "", "c", "", CODE], [CODE]],
  ])("counts if a word names it at most four lines above or one below: %s", (_, text, codes) => {
    expect(lines(...text)).toEqual(codes);
  });

  it("counts in the first five lines if the subject names a code", () => {
    const after = (count: number) => codesIn("Your code", [...Array(count).fill("a"), CODE].join("\n"));
    expect([after(0), after(4), after(5)]).toEqual([[CODE], [CODE], []]);
  });

  it.each<[string, ReadonlyArray<string>]>([
    ["**482 913**", ["482913"]],
    ["[ 48-29-13 ]", ["482913"]],
    ["G-482913", ["482913"]],
    ["4 8 2 9 1 3", ["482913"]],
    ["1234-5678", ["12345678"]],
    ["AB12-CD34", ["AB12-CD34"]],
    ["QWERTZ", ["QWERTZ"]],
    ["aB3dE", ["aB3dE"]],
    ["abcde", []],
    ["QWERT", []],
    ["123", []],
    ["123456789", []],
  ])("may be written as %s", (line, codes) => {
    expect(lines("Your code:", line)).toEqual(codes);
  });
});

describe("a code in a sentence", () => {
  it("is at most 90 characters from the word that names it", () => {
    const at = (distance: number) => codesIn("", `The code${"=".repeat(distance - 1)} ${CODE} is here`);
    expect([at(90), at(91)]).toEqual([[CODE], []]);
    const before = (distance: number) => codesIn("", `Here ${CODE} ${"=".repeat(distance - 1)}code is it`);
    expect([before(90), before(91)]).toEqual([[CODE], []]);
  });

  it.each<[string, ReadonlyArray<string>]>([
    ["Your code is 482913.", ["482913"]],
    ["482913 is your code", ["482913"]],
    ["Code 2026", ["2026"]],
    ["Your code arrives in 2026", []],
    ["The code for order 482913", []],
    ["The code for order number 482913", []],
    ["The code is valid for 4829 minutes", []],
    ["The code costs 4829 €", []],
    ["Your code, or call +49 30 482913", []],
    ["Your code, or call (0800) 482913", []],
    ["Your zip code 48291", []],
    ["Your promo code 482913", []],
    ["Codes: 482913, 482914 / 482915", ["482913", "482914", "482915"]],
    ["Codes: A1B2 C3D4 and E5F6", ["A1B2", "C3D4"]],
    ["From 482911 on, 482912 | 482913 is the code", ["482912", "482913"]],
    ["The code 482913. The number 482914", ["482913"]],
    ["The number is 482914! Here is a code.", []],
    ["code: https://x.test/482914 482913", ["482913"]],
    ["code a@482914.test 482913", ["482913"]],
    ["code #482914 or 482913", ["482913"]],
    ["code 4.829 or 4829,5", []],
    ["kod: ٤٨٢٩١٣", ["482913"]],
  ])("of the form %j gives the codes %j", (text, codes) => {
    expect(codesIn("", text)).toEqual(codes);
  });

  it("is looked for in the subject and in the first 20,000 characters", () => {
    expect(codesIn(`Your code: ${CODE}`, "Hello")).toEqual([CODE]);
    const name = "Your code: ";
    const until = (length: number, more = "") =>
      codesIn("", `${"x".repeat(length - name.length - 7)} ${name}${CODE}${more}`);
    expect([until(20_000), until(20_000, " more"), until(20_001)]).toEqual([[CODE], [CODE], []]);
  });
});

describe("a link of a message", () => {
  const SEARCHED = 256 * 1024;
  const url = "https://a.example/1";

  it("is looked for in the first 262,144 characters of the text and of the HTML", () => {
    const text = (length: number) => linksIn(`${" ".repeat(length - url.length)}${url}`, null);
    expect([text(SEARCHED), text(SEARCHED + 1)]).toEqual([[url], []]);
    const anchor = `<a href="${url}"`;
    const html = (length: number) => linksIn(null, `${" ".repeat(length - anchor.length)}${anchor}`);
    expect([html(SEARCHED), html(SEARCHED + 1)]).toEqual([[url], []]);
  });

  it("has its entities replaced once", () => {
    const written = "https://a.example/?a=1&amp;b=&lt;&gt;&quot;&#39;&#34;&amp;lt;&copy;";
    expect(linksIn(null, `<a href="${written}">`)).toEqual([`https://a.example/?a=1&b=<>"'"&lt;&copy;`]);
  });

  it.each([
    ["https://a.example/x.,;:!?*_~)]", "https://a.example/x"],
    ["https://a.example/(x))", "https://a.example/(x)"],
    ["https://a.example/(x).", "https://a.example/(x)"],
    ["https://a.example/x).", "https://a.example/x"],
  ])("in %s ends before the punctuation of the sentence around it", (text, link) => {
    expect(linksIn(text, null)).toEqual([link]);
  });
});
