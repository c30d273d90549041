import { PREVIEW_BYTES } from "./choose-bodies.ts";
import { splitQuoted } from "./split-quoted.ts";

/** The maximum length of a preview. */
const MAX_CHARS = 200;

/** The number of characters of a text that are searched for its preview: the same as the number of bytes read of HTML. */
const MAX_TEXT = PREVIEW_BYTES["html"]!;

/** A line that only refers to the HTML, to a page with the same text, or to the address for answers. */
const POINTER =
  /\b(?:view|read|open|see|show|display|click|trouble|problems)\b.{0,60}\b(?:browser|online|web ?(?:version|page)|html)\b|\b(?:web|online|browser)[- ]?version\b|\bhtml (?:e-?mail|message|version|format|view|reader)|\bim browser\b|online ansehen|dans (?:le|votre) navigateur|version en ligne|en (?:el|tu|su) navegador|versión (?:web|en línea)|nel (?:tuo )?browser|versione (?:web|online)|in (?:je|uw) browser|online versie|w przeglądarce|no (?:seu )?navegador|i (?:din )?(?:webbläsare|browser)\b|в браузере|reply above this line|ブラウザ|浏览器|瀏覽器|html(?:形式|メール)/iu;

/** The maximum length of a line that counts as a pointer. */
const MAX_POINTER_CHARS = 120;

/** The lines that frame an inline signed or encrypted text (RFC 9580, 6.2). */
const SIGNED = /^-----BEGIN PGP SIGNED MESSAGE-----\n(?:\w+: .*\n)*\n/;
const ARMOUR = /^-----BEGIN [A-Z ]{3,40}-----$[^]*/m;

/** Placeholders for images, and the URLs that programs write after the text of a link. */
const PICTURE = /\[(?:cid|image|inline image|logo|bild)\b[^\]\n]{0,300}\]/giu;
const LINK_BESIDE_WORDS = / ?[<([] ?(?:https?:\/\/|mailto:)[^\s<>()[\]]*\s?[>)\]]/g;
const LONG_LINK = /https?:\/\/\S{60,}/g;

const JOINER = "(?:\\u{200c}|\\u{200d})";

/** Invisible characters: soft hyphens, direction marks and fillers. Joiners within a word or an emoji stay. */
const INVISIBLE = new RegExp(
  [
    `(?<!\\p{L}|\\p{M}|\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\u{fe0f})${JOINER}`,
    `${JOINER}(?!\\p{L}|\\p{Extended_Pictographic})`,
    "(?<!\\p{Extended_Pictographic}|[\\d#*])\\u{fe0f}",
    `(?!${JOINER}|\\u{fe0f})\\p{Default_Ignorable_Code_Point}`,
    "\\u{2800}",
  ].join("|"),
  "gu",
);

/** Returns the preview of a text (spec 12.3); null if it has no words. */
export const previewOf = (text: string): string | null => {
  const { newText } = splitQuoted(
    text.slice(0, MAX_TEXT).replaceAll("\r\n", "\n").replace(SIGNED, "").replace(ARMOUR, ""),
  );
  const lines = newText
    .replaceAll(PICTURE, " ")
    .replaceAll(LINK_BESIDE_WORDS, "")
    .replaceAll(LONG_LINK, " ")
    .replaceAll(INVISIBLE, "")
    .split("\n")
    .map((line) => line.replaceAll(/[\s\p{Cc}\p{Zs}]+/gu, " ").trim())
    .filter((line) => /[\p{L}\p{N}\p{S}]/u.test(line) && !/^(\p{P}|\p{S})\1{3,}$/u.test(line));
  const first = lines.findIndex((line) => !isPointer(line));
  const words = lines
    .slice(Math.max(0, first))
    .join(" ")
    .replaceAll(/([-_=*#~.+|])\1{4,}/g, "")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return words === ""
    ? null
    : Array.from(words.slice(0, 4 * MAX_CHARS))
        .slice(0, MAX_CHARS)
        .join("")
        .trim();
};

const isPointer = (line: string): boolean =>
  (line.length <= MAX_POINTER_CHARS && POINTER.test(line)) || /^https?:\/\/\S+$/.test(line);

/** Returns whether the preview of a plain text says nothing about the message, so that the HTML must be read. */
export const isUninformative = (preview: string | null): boolean => preview === null || isPointer(preview);
