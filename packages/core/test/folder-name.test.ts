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
  ])("refuses %j as %s [S4.5-1]", (text, reason) => expect(reasonOf(text)).toBe(reason));

  it.each(["a.b", "x".repeat(255), "&".repeat(127), "日本語", "two  spaces", "👩‍👩‍👧", "it's <b> #1!"])(
    "accepts %j",
    (text) => expect(reasonOf(text)).toBe(""),
  );

  it("refuses the server's delimiter, and accepts any character if it has none", () => {
    expect(reasonOf("a.b", ".")).toBe("delimiter");
    expect(reasonOf("a/b", null)).toBe("");
  });

  it("gives every Unicode form of a name the same result, and is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const names = ["NFC", "NFD"].map((form) => folderName(text.normalize(form), "/"));
        expect(names[0]).toEqual(names[1]);
        if (names[0]!._tag === "Success") expect(folderName(names[0]!.success, "/")).toEqual(names[0]);
      }),
    );
  });

  it("returns no name with a delimiter, a wildcard or space at an edge", () => {
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
  ])("%s and %s have the same key", (one, other) => expect(nameKey(one)).toBe(nameKey(other)));

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

it("encodedLength returns the length in modified UTF-7", () => {
  // Examples of RFC 3501, and one beyond the basic plane.
  for (const [name, encoded] of [
    ["~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"],
    ["Entwürfe & mehr", "Entw&APw-rfe &- mehr"],
    ["📬", "&2D3c7A-"],
    ["&", "&-"],
  ] as const) {
    expect(encodedLength(name)).toBe(encoded.length);
  }
});
