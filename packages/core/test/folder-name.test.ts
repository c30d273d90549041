import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedLength, folderName, nameKey } from "../src/folders/folder-name.ts";

const reasonOf = (text: string, delimiter: string | null = "/") => {
  const result = folderName(text, delimiter);
  return result._tag === "Success" ? "" : result.failure.reason;
};

describe("folderName", () => {
  it.each([
    ["", "empty"],
    [" a", "edge_space"],
    ["a\u3000", "edge_space"],
    ["a\u0007b", "control_character"],
    ["a\u0085b", "control_character"],
    ["a\u2028b", "control_character"],
    ["\udc00", "malformed"],
    ["a/b", "delimiter"],
    ["*", "wildcard"],
    ["50%", "wildcard"],
    [".", "dots"],
    ["..", "dots"],
    ["a..b", "dots"],
    ["postern-removal-", "reserved"],
    ["POSTERN-removal-1", "reserved"],
    ["x".repeat(256), "too_long"],
    ["&".repeat(128), "too_long"],
  ])("%j is %s", (text, reason) => expect(reasonOf(text)).toBe(reason));

  it.each(["a.b", "x".repeat(255), "&".repeat(127), "日本語", "two  spaces", "👩‍👩‍👧", "it's <b> #1!"])(
    "%j is a name",
    (text) => expect(reasonOf(text)).toBe(""),
  );

  it("takes the delimiter of the server for one, and any character where it has none", () => {
    expect(reasonOf("a.b", ".")).toBe("delimiter");
    expect(reasonOf("a/b", null)).toBe("");
  });

  it("is of one form whatever form it came in, and stays what it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const names = ["NFC", "NFD"].map((form) => folderName(text.normalize(form), "/"));
        expect(names[0]).toEqual(names[1]);
        if (names[0]!._tag === "Success") expect(folderName(names[0]!.success, "/")).toEqual(names[0]);
      }),
    );
  });

  it("never makes a hierarchy, a wildcard or an edge out of a name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("/", ".", "\\"), (text, delimiter) => {
        const result = folderName(text, delimiter);
        if (result._tag === "Failure") return;
        const name = result.success;
        expect(name.includes(delimiter) || /[*%\p{Cc}]/u.test(name) || name !== name.trim() || name === "").toBe(false);
        expect(encodedLength(name)).toBeLessThanOrEqual(255);
      }),
    );
  });
});

describe("nameKey", () => {
  it.each([
    ["Größe", "GRÖSSE"],
    ["Äpfel", "a\u0308PFEL"],
    ["ΟΔΟΣ", "οδος"],
    ["ẞ", "ss"],
    ["İ", "i\u0307"],
  ])("%s and %s are one name", (one, other) => expect(nameKey(one)).toBe(nameKey(other)));

  it("is the same for every case and canonical form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const key = nameKey(text);
        for (const form of ["NFC", "NFD"]) expect(nameKey(text.normalize(form))).toBe(key);
        expect(nameKey(text.toUpperCase())).toBe(key);
      }),
    );
  });
});

it("encodedLength is that of modified UTF-7", () => {
  // RFC 3501's own examples, and one beyond the basic plane.
  for (const [name, encoded] of [
    ["~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"],
    ["Entwürfe & mehr", "Entw&APw-rfe &- mehr"],
    ["📬", "&2D3c7A-"],
    ["&", "&-"],
  ] as const) {
    expect(encodedLength(name)).toBe(encoded.length);
  }
});
