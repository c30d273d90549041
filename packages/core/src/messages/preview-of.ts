import { splitQuoted } from "./split-quoted.ts";

/** Most characters of a preview. */
const MOST_CHARACTERS = 200;

/** Characters that take no room: soft hyphens, joiners, marks of direction, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns what a person reads first of a text (spec 12.3); null if there is nothing to read. */
export const previewOf = (text: string): string | null => {
  const { newText } = splitQuoted(text);
  const words = newText
    .replaceAll(INVISIBLE, "")
    .replaceAll(/https?:\/\/\S{80,}/g, "")
    .replaceAll(/[\s\p{Cc}\p{Zs}]+/gu, " ")
    .replaceAll(/([-_=*#~.])\1{4,}/g, "")
    .trim();
  return words === ""
    ? null
    : Array.from(words.slice(0, 4 * MOST_CHARACTERS))
        .slice(0, MOST_CHARACTERS)
        .join("")
        .trim();
};
