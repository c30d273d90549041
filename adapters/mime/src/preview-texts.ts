import type { EncodedBody } from "@postern/core/messages";
import { decodedBeginning } from "./read-message.ts";

/** Elements whose content is not shown. */
const UNSHOWN = /^(?:head|style|script|title|noscript|template|select|textarea)$/i;

/** Styles and attributes that hide an element, as senders hide padding. */
const HIDDEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]*[1-9])|max-height\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|\shidden[\s>=]/i;

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const LINE_ENDS = /^(?:br|hr|p|div|tr|li|h[1-6]|table|blockquote|pre|dt|dd|section|article|ul|ol|td|th)$/i;

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', nbsp: " ", amp: "&", apos: "'" };

/** Returns the beginnings of texts as plain text; empty for one that cannot be read. */
export const previewTexts = (bodies: ReadonlyArray<EncodedBody>): Promise<ReadonlyArray<string>> =>
  Promise.all(
    bodies.map(async (body) => {
      const text = await decodedBeginning(body).catch(() => "");
      return body.type === "text/html" ? shownText(text) : text;
    }),
  );

/** Returns the text of HTML that a reader sees; the HTML may end anywhere. */
const shownText = (html: string): string => {
  let text = "";
  let hidden: { readonly name: string; depth: number } | undefined;
  let at = 0;
  const source = html.replaceAll(/<!--[^]*?(?:-->|$)/g, "");
  for (const tag of source.matchAll(/<(\/?)([a-z][\w:-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi)) {
    if (hidden === undefined) text += source.slice(at, tag.index);
    at = tag.index + tag[0].length;
    const [, slash, name = "", attributes = ""] = tag;
    const isEnd = slash === "/";
    if (hidden !== undefined) {
      if (name.toLowerCase() === hidden.name) hidden.depth += isEnd ? -1 : 1;
      if (hidden.depth === 0) hidden = undefined;
    } else if (!isEnd && !VOID.test(name) && (UNSHOWN.test(name) || HIDDEN.test(`${attributes} `))) {
      hidden = { name: name.toLowerCase(), depth: 1 };
    } else if (LINE_ENDS.test(name)) text += "\n";
  }
  if (hidden === undefined) text += source.slice(at).replace(/<[^<>]*$/, "");
  return text
    .replaceAll(/&#(x[\da-f]{1,6}|\d{1,7});?/gi, (_, code: string) => characterOf(code))
    .replaceAll(/&([a-z]{2,4});/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)
    .replaceAll(/&(?:zwn?j|shy|ensp|emsp|thinsp);?/gi, " ")
    .replace(/&#?\w{0,8}$/, "");
};

const characterOf = (code: string): string => {
  const point = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
  return point > 0 && point <= 0x10_ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : " ";
};
