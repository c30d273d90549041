import type { ReadableMessage } from "@postern/core/messages";
import { seenText } from "./visible-text.ts";

/** The alternatives of one text of a message. */
interface Alternatives {
  readonly plain: ReadonlyArray<string>;
  /** The HTML as it was received. */
  readonly source: ReadonlyArray<string>;
}

/** Words by which a plain alternative is compared with the HTML. Addresses differ in most messages. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/\bhttps?:\S+/gi, " ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu) ?? [];

/** Returns what a person sees of a message. Mail programs show the HTML where there is one, so its plain text is not read. */
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
