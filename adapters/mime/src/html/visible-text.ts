import sanitizeHtml from "sanitize-html";
import { plainText } from "./plain-text.ts";
import { sheetsOf } from "./safe-sheets.ts";
import { TAGS, TEXTLESS_TAGS } from "./sanitised-html.ts";
import { type ElementLook, lookOf, PAGE_LOOK, reasonHidden } from "./element-look.ts";
import { declarationsOf, type Selectable, SheetRules } from "./SheetRules.ts";

/** The text that a person sees of an HTML text, and the number of removed characters by kind. */
export interface SeenText {
  readonly text: string;
  readonly hidden: ReadonlyMap<string, number>;
}

/** Maximum depth of elements that are read; deeper text is not shown. */
const MAX_DEPTH = 500;

const VOID = new Set(["br", "hr", "img", "col", "wbr", "input", "meta", "link", "area", "base", "source"]);

/** A tag with its attributes, or text, in the well-formed HTML that sanitize-html writes. */
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=<>"]+(?:="[^"]*")?)*)\s*\/?>|([^<]+|<)/g;
const ATTRIBUTE = /([^\s=<>"]+)(?:="([^"]*)")?/g;

const unescapeHtml = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Open extends Selectable {
  readonly look: ElementLook;
  readonly href: string | undefined;
}

const commentsIn = (html: string): number => {
  let characters = 0;
  for (let at = html.indexOf("<!--"); at !== -1; at = html.indexOf("<!--", at)) {
    const end = html.indexOf("-->", at + 4);
    characters += html.slice(at + 4, end === -1 ? undefined : end).trim().length;
    if (end === -1) break;
    at = end + 3;
  }
  return characters;
};

/**
 * Returns the text that a person sees of an HTML text in a wide window, by the computed style of each element. The
 * address of a link follows its text. Nothing is fetched.
 */
export const seenText = (html: string): SeenText => {
  const hidden = new Map<string, number>();
  const report = (kind: string, characters: number) => void hidden.set(kind, (hidden.get(kind) ?? 0) + characters);
  const rules = new SheetRules();
  for (const { text } of sheetsOf(html)) rules.add(text.slice(0, 200_000));
  const comments = commentsIn(html.replaceAll(/<style\b[^>]*>[\s\S]*?<\/style/gi, ""));
  if (comments > 0) report("comment", comments);

  const formed = sanitizeHtml(html, {
    allowedTags: [...TAGS, "body"],
    allowedAttributes: false,
    nonTextTags: TEXTLESS_TAGS,
    parseStyleAttributes: false,
    allowedSchemes: ["http", "https"],
    disallowedTagsMode: "discard",
    nestingLimit: MAX_DEPTH,
    nonBooleanAttributes: [],
  });
  const open: Array<Open> = [];
  const seen: Array<string> = [];
  for (const [, slash, tag, rest = "", text] of formed.matchAll(TOKEN)) {
    const look = open.at(-1)?.look ?? PAGE_LOOK;
    if (text !== undefined) {
      const reason = reasonHidden(look);
      if (reason === null) seen.push(text);
      else if (text.trim() !== "") report(reason, unescapeHtml(text).trim().length);
    } else if (slash === "/") {
      const from = open.findLastIndex((one) => one.tag === tag);
      const closed = from === -1 ? undefined : open[from];
      if (from !== -1) open.length = from;
      const shows = closed?.href !== undefined && reasonHidden(closed.look) === null;
      seen.push(shows ? ` ${escapeHtml(closed.href!)} </${tag}>` : `</${tag}>`);
    } else {
      const element = elementOf(tag!, attributesOf(rest), look, open, rules);
      if (tag === "img") showPicture(attributesOf(rest), reasonHidden(element.look), seen, report);
      else seen.push(`<${tag}>`);
      if (!VOID.has(tag!)) open.push(element);
    }
  }
  return { text: plainText(seen.join("")), hidden };
};

const attributesOf = (rest: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...rest.matchAll(ATTRIBUTE)].map(([, name, value = ""]) => [name!.toLowerCase(), unescapeHtml(value)]),
  );

const elementOf = (
  tag: string,
  attributes: Readonly<Record<string, string>>,
  parent: ElementLook,
  ancestors: ReadonlyArray<Selectable>,
  rules: SheetRules,
): Open => {
  const element = {
    tag,
    id: attributes["id"] ?? "",
    classes: (attributes["class"] ?? "").split(/\s+/).filter(Boolean),
  };
  const declarations = [...rules.of(element, ancestors), declarationsOf(attributes["style"] ?? "")];
  const href = tag === "a" ? attributes["href"] : undefined;
  return {
    ...element,
    look: lookOf(parent, tag, attributes, declarations),
    href: href !== undefined && /^https?:/i.test(href) ? href : undefined,
  };
};

const showPicture = (
  attributes: Readonly<Record<string, string>>,
  reason: string | null,
  seen: Array<string>,
  report: (kind: string, characters: number) => void,
): void => {
  const size = `${attributes["width"] ?? ""};${attributes["height"] ?? ""};${attributes["style"] ?? ""}`;
  const isPixel = /(?:^|;)[01](?:px)?(?:;|$)|(?:width|height)\s*:\s*[01](?:px)?\b(?![.\d])/i.test(size);
  const alt = (attributes["alt"] ?? "").trim();
  if (isPixel || reason !== null) report(isPixel ? "tracking_pixel" : reason!, alt.length);
  else if (alt !== "") seen.push(` [picture: ${escapeHtml(alt)}] `);
};
