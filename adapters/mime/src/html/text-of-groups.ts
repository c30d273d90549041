import type { ReadableMessage } from "@postern/core/messages";
import { seenText } from "./visible-text.ts";

/** The alternatives of one text of a message. */
interface Alternatives {
  readonly plain: ReadonlyArray<string>;
  /** The HTML as it was received. */
  readonly source: ReadonlyArray<string>;
}

/**
 * Returns the words that are compared between a plain alternative and the HTML; URLs are left out, because they usually
 * differ.
 */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/\bhttps?:\S+/gi, " ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu) ?? [];

/**
 * Returns the text of a message that a person sees. Mail programs prefer HTML, so a plain alternative is used only for
 * a comparison with the HTML.
 */
export const visibleText = (groups: ReadonlyArray<Alternatives>): NonNullable<ReadableMessage["visible"]> => {
  const hidden = new Map<string, number>();
  const report = (kind: string, characters: number) => void hidden.set(kind, (hidden.get(kind) ?? 0) + characters);
  const texts: Array<string> = [];
  for (const { plain, source } of groups) {
    if (source.length === 0) {
      texts.push(...plain);
      continue;
    }
    const seen = source.map(seenText);
    texts.push(...seen.map(({ text }) => text));
    for (const one of seen) for (const [kind, characters] of one.hidden) report(kind, characters);
    const shown = new Set(seen.flatMap(({ text }) => wordsOf(text)));
    const missing = plain.flatMap(wordsOf).filter((word) => !shown.has(word));
    if (missing.length > 0) report("plain_alternative", missing.join("").length);
  }
  return { text: texts.join("\n"), hidden: [...hidden].map(([kind, characters]) => ({ kind, characters })) };
};
