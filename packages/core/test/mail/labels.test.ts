import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldLabel, keywordOf, labelsOf } from "../../src/mail/index.ts";

describe("labels", () => {
  it("are keywords in modified UTF-7, each once without case, and no flags [S5.5-1]", () => {
    const flags = ["\\Seen", "\\Important", "$Forwarded", "$MDNSENT", "$junk", "$NotJunk", "$Phishing", "$Forwarder"];
    expect(labelsOf(["Work", "Gr&APYA3w-e", "&ZeVnLA-", "work", "$label1", "R&-D", ...flags])).toEqual([
      "$Forwarder",
      "$label1",
      "Größe",
      "R&D",
      "Work",
      "日本",
    ]);
  });

  it("of other programs may be invalid modified UTF-7, and are bounded in length and number [S5.5-2]", () => {
    expect(labelsOf(["A&B", "&-", "&A-", "&AAAA-", "x".repeat(256), ""])).toEqual(["&", "&A-", "&AAAA-", "A&B"]);
    expect(labelsOf(Array.from({ length: 300 }, (_, n) => `l${n}`))).toHaveLength(100);
    expect(labelsOf(["x".repeat(255)])).toEqual(["x".repeat(255)]);
    expect(labelsOf(["&AA-", "&2Dzf,w-", "&,,8-"])).toEqual(["&AA-", "\u{1f3ff}", "\uffff"]);
  });

  it.each([
    "",
    "a b",
    "a\r\nb",
    "a\u{a0}b",
    ...'(){%*"\\]'
      .split("")
      .map((char) => `a${char}b`)
      .filter((name) => name !== "a}b"),
  ])("cannot have the name %j [S5.5-4]", (name) => expect(keywordOf(name)).toBeNull());

  it("have names of up to 64 bytes of modified UTF-7, which are no flags [S5.5-4]", () => {
    expect(keywordOf("x".repeat(64))).toBe("x".repeat(64));
    expect([keywordOf("x".repeat(65)), keywordOf("日本".repeat(13)), keywordOf("\ud800")]).toEqual([null, null, null]);
    expect([keywordOf("$JUNK"), keywordOf("\\Seen"), keywordOf("$label5")]).toEqual([null, null, "$label5"]);
    expect([keywordOf("Größe"), keywordOf("R&D"), keywordOf("日本")]).toEqual(["Gr&APYA3w-e", "R&-D", "&ZeVnLA-"]);
  });

  it("are read as they are written", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (name) => {
        const keyword = keywordOf(name);
        if (keyword === null) return;
        expect(keyword).toMatch(/^[\x21-\x7e]+$/);
        expect(labelsOf([keyword])).toEqual([name]);
        expect(labelsOf([keyword, keyword.toLowerCase() === keyword ? keyword : "x"]).map(foldLabel)).toContain(
          foldLabel(name),
        );
      }),
    ));
});
