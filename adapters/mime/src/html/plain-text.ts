/** Words right before a block, such as the first line of a message in Gmail. */
const BEFORE_BLOCK = /([^\s<>])\s*(?=<(?:p|div|tr|li|h[1-6]|table|blockquote|pre|dt|dd|section|article|ul|ol)[\s>])/g;

const LINE_ENDS = /<(?:br|hr)\b[^<>]*>|<\/(?:p|div|tr|li|h[1-6]|table|blockquote|pre|dt|dd|section|article|ul|ol)>/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": " ",
  "&amp;": "&",
};

/** Returns the visible lines of sanitised HTML, which is well-formed and contains few entities. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/\s+/g, " ")
    .replaceAll(BEFORE_BLOCK, "$1\n")
    .replaceAll(LINE_ENDS, "\n")
    .replaceAll(/<\/t[dh]>/g, " ")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(?:lt|gt|quot|nbsp|amp);/g, (entity) => ENTITIES[entity]!)
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
