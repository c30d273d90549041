const APOSTROPHES = /[’‘ʼ´`]/g;
const MARKS = /[\u0300-\u036f]/g;
const SPACES = /[\s\u200b-\u200d\ufeff]+/g;
const WIDE = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef";
const WIDE_GAP = new RegExp(`(?<=[${WIDE}]) (?=[${WIDE}])`, "g");

/**
 * Returns text in the form in which rules compare it: in lower case, without accents, and with one space between words.
 * Spaces between ideographs are removed, because a line break may have separated them. Rules are folded the same way,
 * so that they can be written naturally.
 */
export const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(MARKS, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(MARKS, "")
    .replaceAll(APOSTROPHES, "'")
    .replaceAll(SPACES, " ")
    .replaceAll(WIDE_GAP, "");

/**
 * Combines phrases into one expression. A phrase is natural text, and may contain `(a|b)`, `?`, `[0-9]`, `.` and
 * bounded counts such as `.{0,40}`. Unbounded repetition is refused, so that every search is linear in the text.
 */
export const phrases = (...sources: ReadonlyArray<string>): RegExp =>
  new RegExp(sources.map(foldSource).join("|"), "u");

const UNBOUNDED = /(?<!\\)[*+]|\{\d+,\}/;

const foldSource = (source: string): string => {
  if (UNBOUNDED.test(source)) throw new RangeError(`A rule repeats without bound: ${source}`);
  return foldText(source);
};
