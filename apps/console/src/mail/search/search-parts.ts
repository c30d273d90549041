import { markText, type Text } from "../../texts/text.ts";

/** A part of a search in one line (spec 5.4): a word, a phrase, or an operator with its value. */
export interface SearchPart {
  /** The part as it was typed. */
  readonly text: string;
  /** The operator in lower case, without its colon; null for a word or phrase. */
  readonly operator: string | null;
  /** The value without quotes. */
  readonly value: string;
  readonly isExcluded: boolean;
}

/** The operators of a search with their meanings. */
export const OPERATORS: ReadonlyMap<string, Text> = new Map([
  ["from", markText("sender")],
  ["to", markText("recipient")],
  ["cc", markText("recipient of a copy")],
  ["subject", markText("words in the subject")],
  ["has", markText("with attachments")],
  ["in", markText("folder")],
  ["after", markText("arrived on this day or later")],
  ["before", markText("arrived before this day")],
  ["is", markText("unread or flagged")],
  ["label", markText("label [noun]")],
]);

const PART = /(-?)(?:([a-z][a-z-]*):(?!\/\/))?(?:["“]([^"”]*)["”]?|(\S*))\s*/giu;

/** Returns the parts of a search. */
export const searchParts = (search: string): ReadonlyArray<SearchPart> =>
  [...search.trim().matchAll(PART)]
    .filter(([text]) => text !== "")
    .map(([text, minus, operator, phrase, word]) => ({
      text: text.trim(),
      operator: operator?.toLowerCase() ?? null,
      value: (phrase ?? word ?? "").trim(),
      isExcluded: minus === "-",
    }));

/** Returns a value in the form of a search: quoted if it has spaces or looks like an operator. */
export const quoted = (value: string): string => {
  const plain = value.replaceAll(/["“”]/g, " ").trim();
  return /[\s:]|^-/.test(plain) ? `"${plain}"` : plain;
};
