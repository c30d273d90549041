import { describe, expect, it } from "vitest";
import { fieldBlocks, fieldOf, headerStart } from "../../src/bounces/header-block.ts";

describe("a header field", () => {
  it.each([
    ["Subject: Hello", ["Subject", "Hello"]],
    ["  > Final-Recipient : rfc822; a@b.test ", ["Final-Recipient", "rfc822; a@b.test"]],
    ["X: short names are no fields", null],
    ["no field", null],
    ["9to5: no", null],
  ])("is read from %j", (line, field) => expect(fieldOf(line)).toEqual(field));

  it("is read from the first 2000 characters of a line", () => {
    const value = (length: number) => fieldOf(`Subject:${"x".repeat(length)}`)?.[1].length;
    expect(value(1_992)).toBe(1_992);
    expect(value(1_993)).toBe(1_992);
    expect(value(9_000)).toBe(1_992);
    expect(fieldOf(`Subject:${"x".repeat(9_000)}`)?.[0]).toBe("Subject");
  });
});

describe("blocks of fields", () => {
  it("end at empty lines, however many and of which kind", () => {
    expect(fieldBlocks("\n\nTo: a\r\nFrom: b\r\r \t\n\nDate: c\n")).toEqual([
      [
        ["To", "a"],
        ["From", "b"],
      ],
      [["Date", "c"]],
    ]);
    expect(fieldBlocks("To: a\n\nFrom: b")).toEqual([[["To", "a"]], [["From", "b"]]]);
    expect(fieldBlocks("")).toEqual([]);
  });

  it("join lines that continue a field, indented or not", () => {
    expect(fieldBlocks("Reason: one\n two\nand three\nTo: b\n  From: no field")).toEqual([
      [
        ["Reason", "one two and three"],
        ["To", "b From: no field"],
      ],
    ]);
  });

  it("begin with the first field, even an indented one, and skip what precedes it", () => {
    expect(fieldBlocks("some words\n To: a")).toEqual([[["To", "a"]]]);
  });

  it("have 300 fields at most", () => {
    const names = fieldBlocks(Array.from({ length: 310 }, (_, n) => `Field-${n}: x`).join("\n")).flat();
    expect(names).toHaveLength(300);
    expect(names.at(-1)).toEqual(["Field-299", "x"]);
  });

  it("lengthen a value to 2000 characters at most", () => {
    const lines = ["To: a", ...Array.from({ length: 500 }, () => ` ${"x".repeat(99)}`)];
    expect(fieldBlocks(lines.join("\n"))[0]?.[0]?.[1].length).toBe(1 + 20 * 100);
    const exact = fieldBlocks([`To: ${"x".repeat(1_995)}`, " y", " zz", " no"].join("\n"));
    expect(exact[0]?.[0]?.[1]).toBe(`${"x".repeat(1_995)} y zz`);
  });
});

describe("the start of a returned header", () => {
  const start = (...lines: ReadonlyArray<string>) => headerStart(lines);

  it("is the first of three fields, of which one occurs only in headers", () => {
    expect(start("Hello,", "", "Received: by mx", "From: a", "To: b")).toBe(2);
    expect(start("From: a", "To: b", "Message-ID: <1@b.test>")).toBe(0);
    expect(start("Received: by mx", "Received: by my", "Message-ID: <1@b.test>")).toBe(0);
  });

  it("is not found in a letter, nor with two fields", () => {
    expect(start("From: a", "To: b", "Subject: c", "Date: d")).toBe(-1);
    expect(start("Received: by mx", "From: a")).toBe(-1);
    expect(start()).toBe(-1);
  });

  it("is not the label of a notice right above", () => {
    expect(start("Reason: full", "Received: by mx", "From: a", "To: b")).toBe(1);
  });

  it("does not count unknown fields between known ones", () => {
    expect(start("Received: by mx", "Reason: one", "Code: two", "From: a")).toBe(-1);
    expect(start("Received: by mx", "Reason: one", "From: a", "To: b")).toBe(0);
  });

  it("continues over folded lines, and ends at any other line without a field", () => {
    expect(start("Received: by mx", "\tfor b", "From: a", " <a@b.test>", "To: b")).toBe(0);
    expect(start("Received: by mx", "and so on", "From: a", "To: b")).toBe(-1);
    expect(start("Received: by mx", "From: a", "", "Received: by mx", "From: a", "To: b")).toBe(3);
    expect(start(" folded", "From: a", "To: b", "Message-ID: <1@b.test>")).toBe(1);
  });

  it("may have fields of extensions first", () => {
    expect(start("X-Spam: no", "ARC-Seal: i=1", "Received: by mx", "From: a", "To: b")).toBe(0);
  });
});
