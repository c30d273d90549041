import { expect, it } from "vitest";
import fc from "fast-check";
import { type Response, ResponseReader } from "../src/wire/ResponseReader.ts";

const LIMITS = { line: 1_000, literal: 1_000, response: 2_000 };
const failure = (what: string) => new Error(what);

const read = (reader: ResponseReader, chunks: ReadonlyArray<Buffer>): ReadonlyArray<Response & { size: number }> =>
  chunks.flatMap((chunk) => {
    const found = [];
    reader.add(chunk);
    for (let next = reader.next(); next !== undefined; next = reader.next()) {
      found.push({ ...next.response, size: next.size });
    }
    return found;
  });

const readAll = (...texts: ReadonlyArray<string>) =>
  read(
    new ResponseReader(LIMITS, failure),
    texts.map((text) => Buffer.from(text, "latin1")),
  ).map(({ payload, literals, size }) => [payload.toString("latin1"), literals.map(String), size]);

it("splits lines, and keeps literals apart", () => {
  expect(readAll('* OK a\r\n* 1 FETCH (A {3}\r\nx\r\n B "{4}" {0}\r\n {00000000000000000000002}\ny})\n\r\n')).toEqual([
    ["* OK a", [], 8],
    ['* 1 FETCH (A {3}\r\n B "{4}" {0}\r\n {00000000000000000000002}\n)', ["x\r\n", "", "y}"], 66],
    ["", [], 2],
  ]);
});

it("recognises a literal only by a number in braces at the end of a line", () => {
  expect(readAll("a {}\r\nb {1} \r\nc 1}\r\nd {x1}\r\n{1}\r\nzend\r\n").map(([payload]) => payload)).toEqual([
    "a {}",
    "b {1} ",
    "c 1}",
    "d {x1}",
    "{1}\r\nend",
  ]);
});

it.each([
  ["a line", "x".repeat(1_001), "a line of more than 1000 bytes"],
  ["a literal", "a {1001}\r\n", "a literal of more than 1000 bytes"],
  ["a literal of any number of digits", `a {${"9".repeat(40)}}\r\n`, "a literal of more than 1000 bytes"],
  [
    "a response of lines and literals",
    `a {900}\r\n${"y".repeat(900)} {900}\r\n${"y".repeat(900)} ${"z".repeat(190)}`,
    "a response of more than 2000 bytes",
  ],
  ["an announced response", `a {990}\r\n${"y".repeat(990)} {999}\r\n`, "a response of more than 2000 bytes"],
])("fails before the end of %s that is too large", (_, text, message) => {
  expect(() => readAll(text)).toThrow(message);
  expect(() => readAll(...text)).toThrow(message);
});

it("reads lines and literals of exactly the limits", () => {
  expect(readAll(`${"x".repeat(998)}\r\n{1000}\r\n${"y".repeat(1_000)}\r\n`)).toHaveLength(2);
});

it("counts the literals of each response separately", () => {
  const reader = new ResponseReader({ line: 10, literal: 10, response: 1e9 }, failure);
  const many = Buffer.from("{0}\r\n".repeat(100_000));
  expect(read(reader, [many, Buffer.from("\r\n"), many, Buffer.from("\r\n")])).toHaveLength(2);
  expect(() => read(reader, [many, Buffer.from("{0}\r\n")])).toThrow("more than 100000 literals in a response");
});

const part = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", " ", "{", "}", "1", "\r"), maxLength: 12 }),
  fc.string({ maxLength: 9 }).map((text) => `{${Buffer.byteLength(text)}}\r\n${text}`),
);
const stream = fc
  .array(fc.tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom("\r\n", "\n")))
  .map((lines) => Buffer.from(lines.map(([parts, end]) => parts.join("") + end).join("")));

it("reads the same responses in whichever pieces they arrive", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 300 })), (bytes, cuts) => {
      const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
      const pieces = ends.map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end));
      const limits = { line: 1e6, literal: 1e6, response: 1e6 };
      const whole = read(new ResponseReader(limits, failure), [bytes]);
      expect(read(new ResponseReader(limits, failure), pieces)).toEqual(whole);
    }),
  );
});
