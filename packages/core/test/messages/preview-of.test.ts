import { describe, expect, it } from "vitest";
import { previewOf, isUninformative } from "../../src/messages/preview-of.ts";

describe("a preview", () => {
  it.each([
    ["the words of the text", "Hello Bob,\r\n\r\nhow  are\tyou?", "Hello Bob, how are you?"],
    ["no quoted history", "Yes.\n\n> Does it work?", "Yes."],
    ["no frame of a signed text", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHello", "Hello"],
    ["nothing from an armour on", "Hello\n-----BEGIN PGP MESSAGE-----\nabc\n", "Hello"],
    ["no pictures", "See [cid:logo@x] here [image: Logo]", "See here"],
    ["no links beside their words", "Our page <https://x.test/a> and mail (mailto:a@x.test).", "Our page and mail."],
    ["no long links", `Go ${"https://x.test/"}${"a".repeat(60)} now`, "Go now"],
    ["short links", "Go to https://x.test/a now", "Go to https://x.test/a now"],
    ["no lines of signs", "Hello\n=====\n. . .\nBob", "Hello Bob"],
    ["no runs of signs within a line", "Hello ---------- Bob", "Hello Bob"],
    ["four signs within a line", "Hello ---- Bob", "Hello ---- Bob"],
    ["no pointer to a page at the beginning", "View this email in your browser\nHello", "Hello"],
    ["no bare link at the beginning", "https://x.test/a\nHello", "Hello"],
    [
      "a pointer that follows other words",
      "Hello\nView this email in your browser",
      "Hello View this email in your browser",
    ],
    ["pointers, if there is nothing else", "View this email in your browser", "View this email in your browser"],
    ["a sentence that is too long for a pointer", `View it in your browser ${"and so on ".repeat(10)}`.trim(), null],
    ["no invisible fillers", "He\u00adllo\u200b \u2800\u034f", "Hello"],
    ["joiners within an emoji", "👩\u200d💻 works", "👩\u200d💻 works"],
  ])("has %s", (_, text, preview) => expect(previewOf(text)).toBe(preview ?? text));

  it.each([[""], ["\n \n"], ["-----\n....."], ["[cid:x]"]])("is null for %j", (text) =>
    expect(previewOf(text)).toBeNull(),
  );

  it("has 200 characters at most, none of them cut", () => {
    expect(previewOf("a".repeat(300))).toBe("a".repeat(200));
    expect(previewOf("😀a".repeat(300))).toBe("😀a".repeat(100));
    expect(previewOf(`${"a".repeat(199)} b`)).toBe("a".repeat(199));
  });

  it("says nothing if it is missing or only points to a page", () => {
    expect(isUninformative(null)).toBe(true);
    expect(isUninformative("View this email in your browser")).toBe(true);
    expect(isUninformative("https://x.test/a")).toBe(true);
    expect(isUninformative("Hello")).toBe(false);
    const pointer = (length: number) => `view in browser ${"a".repeat(length - 16)}`;
    expect([pointer(120), pointer(121)].map(isUninformative)).toEqual([true, false]);
  });
});
