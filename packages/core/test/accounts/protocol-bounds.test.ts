import { describe, expect, it } from "vitest";
import { holdsOneOf } from "../../src/accounts/protocol-log/credential-forms.ts";
import { fetchWithoutContents } from "../../src/accounts/protocol-log/fetch-line.ts";
import { lineReader, type StreamLine } from "../../src/accounts/protocol-log/line-reader.ts";
import { LineBuffer } from "../../src/accounts/protocol-log/LineBuffer.ts";
import { findExcess, sortLines, LOG_BOUNDS, printableLine } from "../../src/accounts/protocol-log/protocol-lines.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Returns the lines of a stream that arrives in these chunks, and the size of the unfinished rest. */
const read = (...chunks: ReadonlyArray<string>) => {
  const lines: Array<StreamLine> = [];
  const reader = lineReader(true, (line) => lines.push(line));
  for (const chunk of chunks) reader.read(new TextEncoder().encode(chunk));
  return { lines, unfinished: reader.unfinished() };
};

describe("the lines of a stream", () => {
  it("have their bytes without the line break, CR LF or LF", () => {
    expect(read("ab\r\n", "c\n", "\r\n").lines).toEqual([
      { text: "ab", bytes: 2, afterLiteral: null },
      { text: "c", bytes: 1, afterLiteral: null },
      { text: "", bytes: 0, afterLiteral: null },
    ]);
  });

  it("continue after a literal, whose bytes are skipped, once", () => {
    for (const chunks of [
      ["x {3}\r\nabc\r\nnext\r\n"],
      [..."x {3}\r\nabc\r\nnext\r\n"],
      ["x ", "{3}\r\n", "abc", "\r\nnext\r\n"],
    ])
      expect(read(...chunks).lines).toEqual([
        { text: "x {3}", bytes: 5, afterLiteral: null },
        { text: "", bytes: 0, afterLiteral: 3 },
        { text: "next", bytes: 4, afterLiteral: null },
      ]);
    expect(read("{1}\r\nab\r\n").lines.map(({ text, afterLiteral }) => [text, afterLiteral])).toEqual([
      ["{1}", null],
      ["b", 1],
    ]);
    expect(read("{0}\r\nb\r\n").lines.map(({ text, afterLiteral }) => [text, afterLiteral])).toEqual([
      ["{0}", null],
      ["b", 0],
    ]);
  });

  it("are cut at 16 KiB and counted in full, in whatever pieces they arrive", () => {
    const [line] = read("x".repeat(16_000), "y".repeat(1_000), "z\n").lines;
    expect(line).toEqual({ text: "x".repeat(16_000) + "y".repeat(384), bytes: 17_001, afterLiteral: null });
    expect(read(`${"x".repeat(16_384)}\n`).lines[0]?.text.length).toBe(16_384);
    expect(read(`${"x".repeat(16_385)}\n`).lines[0]?.text.length).toBe(16_384);
  });

  it("report the bytes received of an unfinished line, and the missing bytes of a literal", () => {
    expect(read("a").unfinished).toBe("a line of 1 bytes had no end");
    expect(read("a\r\n").unfinished).toBeNull();
    expect(read("{2}\r\na").unfinished).toBe("1 of 2 bytes of a literal were missing");
    expect(read("{2}\r\nab").unfinished).toBeNull();
  });
});

describe("a credential that a server repeats", () => {
  it("is found verbatim, quoted and encoded, if it is as long as a word [S10.5-9]", () => {
    const holds = holdsOneOf(['p"w\\d', "a\u0001b", "abc"]);
    for (const text of ['x P"W\\D', String.raw`p\"w\\d`, String.raw`a\u0001b`, "a%01b", "610162", "xYWJjx"])
      expect(holds(text), text).toBe(true);
    for (const text of [String.raw`\u0001`, String.raw`x\u0001b`, "001b", String.raw`a\u0001c`, "YWI", "6101"])
      expect(holds(text), text).toBe(false);
  });

  it("is not found by two letters of its base64, which many texts have", () => {
    expect(holdsOneOf(["ab"])("YW and YWxs")).toBe(false);
  });
});

it("shows flags in FLAGS alone", () => {
  expect(fetchWithoutContents("FLAGS ($Junk) secret")).toBe("FLAGS ($Junk) <6 removed>");
  expect(fetchWithoutContents("FLAGS ($Junk) X-LABELS (secret)")).toBe("FLAGS ($Junk) <8 removed> (<6 removed>)");
});

describe("the bounds of a protocol log", () => {
  it("are 10,000 lines and 1 MiB for a log, 1,000 characters for a line, and 2,000 lines and 256 KiB for a process [S10.5-10]", () => {
    expect(LOG_BOUNDS).toEqual({ bytes: 1_048_576, lines: 10_000 });
    expect([printableLine("x".repeat(1_000)), printableLine("x".repeat(1_001))].map(({ length }) => length)).toEqual([
      1_000, 1_009,
    ]);
    const kept = (count: number, length: number) => {
      const buffer = new LineBuffer();
      for (let n = 0; n < count; n++) buffer.add("x".repeat(length));
      const { lines, dropped } = buffer.take();
      return [lines.length, dropped];
    };
    expect(kept(2_001, 1)).toEqual([2_000, 1]);
    expect(kept(256, 1_024)).toEqual([256, 0]);
    expect(kept(257, 1_024)).toEqual([256, 1]);
    expect(kept(5_000, 1)).toEqual([2_000, 3_000]);
  });

  it("hold for a process again after its lines were taken", () => {
    const buffer = new LineBuffer({ bytes: 6, lines: 2 });
    const add = (...lines: ReadonlyArray<string>) => {
      for (const line of lines) buffer.add(line);
      return buffer.take();
    };
    expect(add("a", "b", "c")).toEqual({ lines: ["b", "c"], dropped: 1 });
    expect(add("aaa", "bbb")).toEqual({ lines: ["aaa", "bbb"], dropped: 0 });
    expect(add("aaa", "bbbb")).toEqual({ lines: ["bbbb"], dropped: 1 });
    expect(add("a", "b", "c", "d", "e", "f")).toEqual({ lines: ["e", "f"], dropped: 4 });
    expect(add("a")).toEqual({ lines: ["a"], dropped: 0 });
  });

  it("keep batches within both bounds, and always keep the newest batch", () => {
    const batches = [1, 2, 3].map((id) => ({ id, bytes: 10, lines: 5 }));
    expect(findExcess(batches, { bytes: 30, lines: 15 })).toEqual([]);
    expect(findExcess(batches, { bytes: 29, lines: 15 })).toEqual(batches.slice(2));
    expect(findExcess(batches, { bytes: 30, lines: 14 })).toEqual(batches.slice(2));
    expect(findExcess(batches, { bytes: 0, lines: 0 })).toEqual(batches.slice(1));
  });

  it("order lines only by their timestamps of 24 characters", () => {
    const [early, late] = ["2026-11-22T13:00:00.000Z", "2026-11-22T13:00:00.001Z"];
    expect(sortLines([`${late} a`, `${early} z`, `${late} A`, `${early} b`])).toEqual([
      `${early} z`,
      `${early} b`,
      `${late} a`,
      `${late} A`,
    ]);
  });
});
