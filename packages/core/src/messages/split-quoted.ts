import { isAdvertisement } from "./advertisement.ts";
import {
  ANSWERED_BELOW,
  beginsAttribution,
  MARKED_ANSWER,
  isAttribution,
  isDivider,
  isFullAttribution,
  isHeader,
  isOriginal,
  mayBeAttribution,
  wordsBeforeAttribution,
} from "./quote-marks.ts";

/** A text without its history, and the history; either may be empty. */
export interface SplitText {
  readonly newText: string;
  readonly quotedText: string;
}

const SIGNATURE = /^-- ?$/;
/** The line above a footer added by a mailing list. */
const LIST_FOOTER = /^_{20,}$/;
const MAX_SIGNATURE_LINES = 12;
/** The number of lines that are searched for a history without quote marks. */
const MAX_LINES = 5_000;

const isQuote = (line: string): boolean => line.startsWith(">");
const isBlank = (line: string): boolean => line.trim() === "";

/**
 * Splits a text into the author's part and the history below or above it (spec 12.3). Never cuts off answers within
 * quoted text: if text follows a quoted part, or the extent of the quote is uncertain, nothing is cut. The signature is
 * in neither part.
 */
export const splitQuoted = (text: string): SplitText => {
  const written = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const uncut = { newText: withoutSignature(written), quotedText: "" };
  const lines = written.some(isQuote)
    ? written.flatMap((line, n) => splitAttribution(line, written[nextWords(written, n + 1)]))
    : written;
  const start = historyStart(lines);
  if (start === undefined) return uncut;
  const [above, history] = [lines.slice(0, start), lines.slice(start)];
  if (!above.every(isBlank)) {
    return ANSWERED_BELOW.test(above.join("\n")) || history.some((line) => MARKED_ANSWER.test(line))
      ? uncut
      : { newText: withoutSignature(above), quotedText: history.join("\n").trim() };
  }
  // The history comes first: the text after a single quoted block is the answer.
  const end = history.findLastIndex(isQuote) + 1;
  const below = history.slice(end);
  const quoted = history.slice(0, end);
  const isOneBlock = quoted.slice(quoted.findIndex(isQuote)).every((line) => isQuote(line) || isBlank(line));
  return end > 0 && isOneBlock && !below.every(isBlank)
    ? { newText: withoutSignature(below), quotedText: quoted.join("\n").trim() }
    : uncut;
};

/** Returns the line, or its two parts: the author's text, and the attribution of the quote below. */
const splitAttribution = (line: string, below: string | undefined): ReadonlyArray<string> =>
  below !== undefined && isQuote(below) && !isQuote(line) ? (wordsBeforeAttribution(line) ?? [line]) : [line];

/** Returns the line where the history begins; undefined if there is no history, or if it contains answers. */
const historyStart = (lines: ReadonlyArray<string>): number | undefined => {
  const start = unmarkedStart(lines) ?? quoteStart(lines);
  return start === undefined ? undefined : withDivider(lines, start);
};

/** Returns the line where a history without quote marks begins: at a header or an attribution above the first quote. */
const unmarkedStart = (lines: ReadonlyArray<string>): number | undefined => {
  const firstQuote = lines.findIndex(isQuote);
  const isQuoteless = firstQuote === -1;
  for (const [n, line] of lines.slice(0, isQuoteless ? MAX_LINES : Math.min(MAX_LINES, firstQuote + 1)).entries()) {
    if (isBlank(line)) continue;
    const next = isDivider(line) ? nextWords(lines, n + 1) : undefined;
    if (next !== undefined && isHeader(lines.slice(next, next + 10), true)) return n;
    if (isOriginal(line) || isHeader(lines.slice(n, n + 10), false)) return n;
    if (isQuoteless && isUnmarkedAttribution(lines, n) && lines.slice(0, n).some((above) => !isBlank(above))) return n;
  }
  return undefined;
};

/** Returns whether an attribution of an unmarked quote begins at a line; the attribution may continue on up to two more lines. */
const isUnmarkedAttribution = (lines: ReadonlyArray<string>, first: number): boolean =>
  [1, 2, 3].some((count) => {
    const some = lines.slice(first, first + count);
    return some.length === count && !some.some(isBlank) && isFullAttribution(some.map((line) => line.trim()).join(" "));
  });

/** Returns the line where a history of quoted lines begins, including its attribution. */
const quoteStart = (lines: ReadonlyArray<string>): number | undefined => {
  const firstQuote = lines.findIndex(isQuote);
  if (firstQuote === -1) return undefined;
  const start = attributionAbove(lines, firstQuote) ?? firstQuote;
  const isTop = lines.slice(0, start).every(isBlank);
  if (isTop) return start;
  const rest = lines.slice(firstQuote);
  const lastQuote = rest.findLastIndex(isQuote);
  const isUnbroken = rest.slice(0, lastQuote + 1).every((line) => isQuote(line) || isBlank(line));
  return isUnbroken && isSignature(rest.slice(lastQuote + 1)) ? start : undefined;
};

/** Returns the line of the divider above a history, or else the first line of the history. */
const withDivider = (lines: ReadonlyArray<string>, start: number): number => {
  const above = lines.slice(0, start).findLastIndex((line) => !isBlank(line));
  return above !== -1 && start - above <= 3 && isDivider(lines[above]!) ? above : start;
};

/** Returns the next non-blank line among the nearest lines. */
const nextWords = (lines: ReadonlyArray<string>, from: number): number => {
  const at = lines.slice(from, from + 4).findIndex((line) => !isBlank(line));
  return at === -1 ? lines.length : from + at;
};

/** Returns the first line of the attribution directly above a quoted part. An attribution has up to three lines. */
const attributionAbove = (lines: ReadonlyArray<string>, quote: number): number | undefined => {
  const last = lines.slice(0, quote).findLastIndex((line) => !isBlank(line));
  if (last === -1 || quote - last > 3) return undefined;
  for (let first = last; first >= Math.max(0, last - 2) && !isBlank(lines[first]!); first--) {
    const joined = lines
      .slice(first, last + 1)
      .map((line) => line.trim())
      .join(" ");
    if (!isAttribution(joined) || (first !== last && !mayBeAttribution(lines[first]!))) continue;
    return first > 0 && beginsAttribution(lines[first - 1]!) ? first - 1 : first;
  }
  return undefined;
};

const isSignature = (lines: ReadonlyArray<string>): boolean => {
  const words = lines.filter((line) => !isBlank(line));
  const [first = ""] = words;
  return (
    words.length === 0 ||
    ((SIGNATURE.test(first) || LIST_FOOTER.test(first)) && words.length <= MAX_SIGNATURE_LINES) ||
    (words.length === 1 && isAdvertisement(first))
  );
};

/** Returns the text without a signature at its end. */
const withoutSignature = (lines: ReadonlyArray<string>): string => {
  const at = lines.findLastIndex((line) => SIGNATURE.test(line));
  const body = at !== -1 && isSignature(lines.slice(at)) ? lines.slice(0, at) : lines;
  const last = body.findLastIndex((line) => !isBlank(line));
  const kept = last >= 0 && isAdvertisement(body[last]!) ? body.slice(0, last) : body;
  const text = kept.join("\n").trim();
  return text === "" ? lines.join("\n").trim() : text;
};
