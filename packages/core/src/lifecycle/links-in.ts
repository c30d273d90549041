/** The most links of a message, and characters of one. */
const [MAX_LINKS, MAX_CHARS] = [100, 2_048];

/** Characters of a text or of HTML in which links are looked for. */
const MAX_TEXT = 256 * 1024;

const ANCHOR = /<a\s[^<>]{0,2048}?\bhref="(https?:\/\/[^"<>]{1,2048})"/gi;
const IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^“”„]+/gi;

/** What ends a sentence or closes a bracket, and not the address before it. */
const CLOSING = new Set(".,;:!?*_~)]");

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#34": '"' };

/**
 * Returns where the links of a message lead, each once: those of its HTML in their order, then those that only its text
 * has. Pictures are none (spec 5.6).
 */
export const linksIn = (text: string | null, html: string | null): ReadonlyArray<string> => {
  const anchors = [...(html ?? "").slice(0, MAX_TEXT).matchAll(ANCHOR)].map(([, href]) =>
    href!.replaceAll(/&(amp|lt|gt|quot|#39|#34);/g, (_, name: string) => ENTITIES[name]!),
  );
  const written = [...(text ?? "").slice(0, MAX_TEXT).matchAll(IN_TEXT)].map(([url]) => withoutClosing(url));
  return [...new Set([...anchors, ...written])].filter((url) => url.length <= MAX_CHARS).slice(0, MAX_LINKS);
};

/** A closing bracket belongs to an address that opens one. */
const withoutClosing = (url: string): string => {
  let end = url.length;
  while (CLOSING.has(url.charAt(end - 1))) end--;
  const kept = url.charAt(end) === ")" && url.slice(0, end).includes("(") ? 1 : 0;
  return url.slice(0, end + kept);
};
