import type { EncodedBody } from "@postern/core/messages";
import sanitizeHtml, { type Attributes } from "sanitize-html";
import { plainText } from "./html/plain-text.ts";
import { decodedBeginning } from "./read-message.ts";
import { TEXTLESS_TAGS, TAGS } from "./html/sanitised-html.ts";

/** Styles that hide an element. Senders hide padding with them, and text for the previews of some programs. */
const HIDDEN =
  /display:none|visibility:hidden|mso-hide:all|(?:max-height|opacity):0(?![.\d]*[1-9])|(?:^|;)(?:width|height):[01](?:px)?(?:;.*)?;?overflow:hidden|(?:left|top|text-indent):-\d{3,}/;

/** A font size in pixels, points or another unit. */
const FONT_SIZE = /(?:^|;)font(?:-size:|:[^;]*?\b)(\d*\.?\d+)(px|pt|[a-z%]*)/;

/** Text up to this font size counts as hidden. */
const UNREADABLE = 2;

/** The attribute in which an element with tiny text stores how many elements with readable text began before it. */
const READABLE_BEFORE = "data-begun";

/** Returns the beginnings of texts as plain text; empty for a text that cannot be read. */
export const previewTexts = (bodies: ReadonlyArray<EncodedBody>): Promise<ReadonlyArray<string>> =>
  Promise.all(
    bodies.map(async (body) => {
      const text = await decodedBeginning(body).catch(() => "");
      return body.type === "text/html" ? shownText(text) : text;
    }),
  );

/** Returns the text that a reader of the HTML sees. The HTML may be cut anywhere. */
const shownText = (html: string): string => {
  let readable = 0;
  // Senders give a cell a tiny font for the spacing, and the contents of the cell a readable font. The text of such a
  // cell is kept.
  const counted = (tagName: string, attribs: Attributes) => {
    if (attribs["hidden"] !== undefined) return { tagName, attribs: { style: "display:none" } };
    const size = letterSize(styleOf(attribs));
    if (size !== undefined && size > UNREADABLE) readable++;
    return {
      tagName,
      attribs: size !== undefined && size <= UNREADABLE ? { ...attribs, [READABLE_BEFORE]: `${readable}` } : attribs,
    };
  };
  const shown = sanitizeHtml(html.replace(/&#?\w{0,30}$/, ""), {
    allowedTags: TAGS,
    nonTextTags: TEXTLESS_TAGS,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    transformTags: { "*": counted },
    exclusiveFilter: ({ attribs }) => HIDDEN.test(styleOf(attribs)) || attribs[READABLE_BEFORE] === `${readable}`,
  });
  return plainText(shown);
};

const styleOf = ({ style = "" }: Attributes): string => style.toLowerCase().replaceAll(/\s+|!important/g, "");

const letterSize = (style: string): number | undefined => {
  const [, size, unit] = FONT_SIZE.exec(style) ?? [];
  if (size === undefined) return undefined;
  return unit === "px" || unit === "pt" || Number(size) === 0 ? Number(size) : Infinity;
};
