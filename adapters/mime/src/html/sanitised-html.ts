import sanitizeHtml, { type Attributes } from "sanitize-html";
import { preformatted } from "./preformatted.ts";
import { safeSheets } from "./safe-sheets.ts";
import { safeStyle } from "./style-declarations.ts";
import { remoteInSheets } from "./style-sheets.ts";

/** HTML that is safe to display, and the number of remote references removed from it. */
export interface SanitisedHtml {
  readonly html: string;
  readonly blocked: number;
}

/** Tags that are shown. */
export const TAGS = [
  ..."a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details".split(
    " ",
  ),
  ..."dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark".split(" "),
  ..."ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th".split(" "),
  ..."thead time tr tt u ul var wbr".split(" "),
];

/** Tags whose content is not text for a reader. */
export const TEXTLESS_TAGS = [
  "script",
  "style",
  "title",
  "textarea",
  "option",
  "noscript",
  "template",
  "iframe",
  "noembed",
  "noframes",
  "object",
  "xmp",
  "svg",
  "math",
];

const CELL = [
  "class",
  "align",
  "valign",
  "bgcolor",
  "width",
  "height",
  "colspan",
  "rowspan",
  "nowrap",
  "dir",
  "lang",
  "style",
];

const ATTRIBUTES: Record<string, Array<string>> = {
  "*": ["class", "dir", "lang", "title", "style", "align"],
  a: ["href", "target", "rel"],
  img: ["src", "alt", "width", "height", "border", "hspace", "vspace", "data-remote-src"],
  font: ["color", "face", "size"],
  table: [...CELL, "border", "cellpadding", "cellspacing", "summary"],
  td: CELL,
  th: [...CELL, "scope"],
  tr: CELL,
  col: [...CELL, "span"],
  colgroup: [...CELL, "span"],
  ol: ["start", "type", "reversed"],
  li: ["value"],
  time: ["datetime"],
};

/** Attributes with URLs that a browser would fetch, whether their tags are kept or removed. */
const FETCHING = [
  "src",
  "srcset",
  "background",
  "poster",
  "data",
  "code",
  "codebase",
  "archive",
  "longdesc",
  "dynsrc",
  "lowsrc",
];

const REMOTE = /^\s*(?:https?:|ftp:|\/\/|\\\\)/i;

/** Maximum number of open elements, because each tag costs the parser time for every open element. Browsers stop at 512. */
const MAX_DEPTH = 10_000;

const PICTURE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif);base64,[A-Za-z0-9+/=\s]*$/i;

/**
 * Returns the HTML of a message without scripts and remote references (spec 5). A remote picture keeps its URL in
 * `data-remote-src`, so that a client can load it on request; safe style sheets come first. `pictures` maps Content-IDs
 * to URLs. Runs in linear time: HTML nested deeper than 10,000 elements is shown as text.
 */
export const sanitisedHtml = (html: string, pictures: Readonly<Record<string, string>>): SanitisedHtml => {
  let blocked = remoteInSheets(html);
  let depth = 0;
  const clean = (tagName: string, given: Attributes) => {
    const attribs: Attributes = { ...given };
    delete attribs["data-remote-src"];
    for (const name of FETCHING) {
      const value = attribs[name];
      if (value === undefined) continue;
      if (name !== "src" || tagName !== "img") {
        if (REMOTE.test(value) || name === "srcset") blocked++;
        delete attribs[name];
        continue;
      }
      delete attribs[name];
      const source = pictureSource(value, pictures);
      if (source !== undefined) attribs["src"] = source;
      else if (REMOTE.test(value)) {
        blocked++;
        attribs["data-remote-src"] = value.trim();
      }
    }
    if (tagName === "link" && REMOTE.test(attribs["href"] ?? "")) blocked++;
    if (attribs["style"] !== undefined) {
      const safe = safeStyle(attribs["style"]);
      blocked += safe.blocked;
      if (safe.style === "") delete attribs["style"];
      else attribs["style"] = safe.style;
    }
    if (tagName === "a") {
      if (!/^\s*(?:https?:|mailto:|tel:)/i.test(attribs["href"] ?? "")) delete attribs["href"];
      return { tagName, attribs: { ...attribs, target: "_blank", rel: "noopener noreferrer nofollow" } };
    }
    return { tagName, attribs };
  };
  const options: sanitizeHtml.IOptions = {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["data"] },
    allowedSchemesAppliedToAttributes: ["href", "src"],
    allowProtocolRelative: false,
    nonTextTags: TEXTLESS_TAGS,
    parseStyleAttributes: false,
    transformTags: { "*": clean },
    disallowedTagsMode: "discard",
    onOpenTag: () => {
      if (++depth > MAX_DEPTH) throw new NestedTooDeep();
    },
    onCloseTag: () => void depth--,
  };
  try {
    const shown = sanitizeHtml(html, options);
    const sheets = safeSheets(html);
    return { html: sheets === "" ? shown : `<style>${sheets}</style>${shown}`, blocked };
  } catch (error) {
    if (error instanceof NestedTooDeep) return { html: preformatted(html), blocked };
    throw error;
  }
};

class NestedTooDeep extends Error {}

const pictureSource = (value: string, pictures: Readonly<Record<string, string>>): string | undefined => {
  const cid = /^\s*cid:(.*)$/is.exec(value)?.[1]?.trim();
  if (cid !== undefined)
    return [cid, decodePercent(cid)].flatMap((name) => (Object.hasOwn(pictures, name) ? [pictures[name]] : []))[0];
  return PICTURE_DATA.test(value.trim()) ? value.trim() : undefined;
};

const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
