import { wholeWords } from "./whole-words.ts";

/** The maximum number of links of a message, and of characters of a link. */
const [MAX_LINKS, MAX_CHARS] = [100, 2_048];

/** The number of characters of a text or of HTML that are searched for links. */
const MAX_TEXT = 256 * 1024;

const ANCHOR = /<a\s[^<>]{0,2048}?\bhref="(https?:\/\/[^"<>]{1,2048})"/gi;
const IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^“”„]+/gi;

/** Characters that end a sentence or close a bracket, and do not belong to the URL before them. */
const CLOSING = new Set(".,;:!?*_~)]");

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#34": '"' };

/**
 * Returns the URLs of a message's links, each once: first the links of its HTML in order, then links that occur only in
 * its text. Omits the URLs of images (spec 5.6).
 */
export const linksIn = (text: string | null, html: string | null): ReadonlyArray<string> => {
  const anchors = [...(html ?? "").slice(0, MAX_TEXT).matchAll(ANCHOR)].map(([, href]) =>
    href!.replaceAll(/&(amp|lt|gt|quot|#39|#34);/g, (_, name: string) => ENTITIES[name]!),
  );
  const written = [...wholeWords(text ?? "", MAX_TEXT).matchAll(IN_TEXT)].map(([url]) => withoutClosing(url));
  return [...new Set([...anchors, ...written])].filter((url) => url.length <= MAX_CHARS).slice(0, MAX_LINKS);
};

/** Removes closing characters from the end of a URL. A closing bracket belongs to the URL if the URL contains an opening one. */
const withoutClosing = (url: string): string => {
  let end = url.length;
  while (CLOSING.has(url.charAt(end - 1))) end--;
  const kept = url.charAt(end) === ")" && url.slice(0, end).includes("(") ? 1 : 0;
  return url.slice(0, end + kept);
};
