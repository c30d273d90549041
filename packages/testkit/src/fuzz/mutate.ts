import type { RandomSource } from "./random-from.ts";

/** The longest input, for which a quadratic reader takes seconds. */
export const MAX_INPUT_BYTES = 64 << 10;
const MAX_MUTATIONS = 5;
const MAX_PIECE_BYTES = 64;

const NUMBERS = ["0", "-1", "1", "00", "4294967295", "4294967296", "9007199254740993", "9".repeat(40), "1e309", "NaN"];
/** Invalid UTF-8, separators of lines and words, and characters that some parser treats specially. */
const PIECES = [
  ..."\0|\xff|\xc0\x80|\xed\xa0\x80|\xef\xbb\xbf|\xe2\x80\xa8|\r|\n|\r\n|\n\r|\r\n\r\n|\t|\\|\"|'|`|<|>|&|%|%00|%ff".split(
    "|",
  ),
  ..."=?utf-8?B?|=?x?Q?=|?=|&#x|&#0;|NIL|{1}\r\n|{9}\r\n|{4294967296}\r\n|{0}\r\n|__proto__|constructor|*|*2*|@|,|;|:".split(
    "|",
  ),
  ..."(:)|(:)|[:]|{:}|<:>|<!--|-->|<![CDATA[|]]>|/*|*/|--|[[|{{|null|true|[]|{}|.|..|://".split("|"),
];
const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
  ["<a>", "</a>"],
  ['"', '"'],
  ['{"a":', "}"],
] as const;

type Mutation = (input: string, random: RandomSource, other: string) => string;

/** Replaces a part of an input. */
const put = (input: string, from: number, until: number, by: string): string =>
  input.slice(0, from) + by + input.slice(until);

const part = (input: string, random: RandomSource): readonly [from: number, until: number] => {
  const from = random.below(input.length + 1);
  return [from, Math.min(input.length, from + 1 + random.below(MAX_PIECE_BYTES))];
};

/** Repeats a piece; the result is mostly short. */
const repeat = (piece: string, random: RandomSource): string => {
  const most = Math.floor((random.below(8) === 0 ? MAX_INPUT_BYTES : 512) / Math.max(1, piece.length));
  return piece.repeat(1 + random.below(Math.max(1, most)));
};

const matches = (input: string, what: RegExp): ReadonlyArray<RegExpExecArray> => [...input.matchAll(what)];

const MUTATIONS: ReadonlyArray<Mutation> = [
  // A bit flips.
  (input, random) => {
    const at = random.below(input.length);
    return put(input, at, at + 1, String.fromCharCode((input.charCodeAt(at) ^ (1 << random.below(8))) & 0xff));
  },
  // A byte is replaced by any other.
  (input, random) => {
    const at = random.below(input.length);
    return put(input, at, at + random.below(2), String.fromCharCode(random.below(256)));
  },
  (input, random) => put(input, ...part(input, random), ""),
  // The input ends early.
  (input, random) => input.slice(0, random.below(input.length + 1)),
  (input, random) => {
    const at = random.below(input.length + 1);
    return put(input, at, at, random.of(PIECES));
  },
  (input, random) => put(input, ...part(input, random), random.of(PIECES)),
  // A part is repeated.
  (input, random) => {
    const [from, until] = part(input, random);
    return put(input, until, until, repeat(input.slice(from, until), random));
  },
  (input, random) => {
    const at = random.below(input.length + 1);
    return put(input, at, at, repeat(random.of(PIECES), random));
  },
  // A character is repeated: a reader that scans from each position is quadratic.
  (input, random) => {
    const separators = matches(input, /[^\da-z]/gi);
    const at = separators.length > 0 ? random.of(separators).index : random.below(input.length);
    return put(input, at, at, input.charAt(at).repeat(1 + random.below(MAX_INPUT_BYTES / (1 << random.below(8)))));
  },
  // Two inputs are spliced.
  (input, random, other) =>
    input.slice(0, random.below(input.length + 1)) + other.slice(random.below(other.length + 1)),
  (input, random, other) => {
    const at = random.below(input.length + 1);
    const [from, until] = part(other, random);
    return put(input, at, at, other.slice(from, until));
  },
  // Two parts change places.
  (input, random) => {
    const [first, last] = [random.below(input.length + 1), random.below(input.length + 1)].toSorted((a, b) => a - b);
    const middle = first! + random.below(last! - first! + 1);
    return input.slice(0, first) + input.slice(middle, last) + input.slice(first, middle) + input.slice(last);
  },
  // A number or a length is wrong.
  (input, random) => {
    const numbers = matches(input, /\d+/g);
    if (numbers.length === 0) return input;
    const { index, 0: digits } = random.of(numbers);
    const near = String(Number(digits) + random.of([-2, -1, 1, 2, 100]));
    return put(input, index, index + digits.length, random.below(2) === 0 ? near : random.of(NUMBERS));
  },
  // A quote or a bracket is missing.
  (input, random) => {
    const marks = matches(input, /["'()[\]{}<>\r\n]/g);
    if (marks.length === 0) return input;
    const { index } = random.of(marks);
    return put(input, index, index + 1, "");
  },
  // Nesting, closed or not.
  (input, random) => {
    const [open, close] = random.of(BRACKETS);
    const at = random.below(input.length + 1);
    const opened = repeat(open, random);
    return put(input, at, at, opened + (random.below(2) === 0 ? close.repeat(opened.length / open.length) : ""));
  },
  // Other line ends.
  (input, random) => input.replaceAll("\r\n", random.of(["\n", "\r", "\n\r", "\r\r\n", "\r\n\r\n", "\r\n "])),
  (input, random) => {
    const [from, until] = part(input, random);
    const text = input.slice(from, until);
    return put(input, from, until, random.below(2) === 0 ? text.toUpperCase() : text.toLowerCase());
  },
];

/** Returns an input of a corpus after a few random changes. */
export const mutate = (corpus: ReadonlyArray<Buffer>, random: RandomSource): Buffer => {
  let input = random.of(corpus).toString("latin1");
  for (let left = 1 + random.below(MAX_MUTATIONS); left > 0; left--) {
    const other = random.of(corpus).toString("latin1");
    if (input === "") input = other;
    input = random.of(MUTATIONS)(input, random, other).slice(0, MAX_INPUT_BYTES);
  }
  return Buffer.from(input, "latin1");
};
