import { safeStyle } from "./style-declarations.ts";

/** A style element, or a comment, which may hold styles for another program. */
const OPENING = /<!--|<style\b([^<>]*)>/gi;
const CLOSING = /<\/style/gi;

const MAX_CHARS = 200_000;
const MAX_RULES = 2_000;

/** A media query without functions: `only screen and (max-width: 480px)`. */
const MEDIA = /^(?:[a-z0-9 .,:)-]|(?<![a-z-])\(){1,200}$/i;

/**
 * The characters of selectors by tag, class, attribute and position. Elements lose their ids, so selectors by id are
 * not needed.
 */
const SELECTOR = /^[a-z0-9_.*>+~ ,:()[\]="'-]{1,500}$/i;
/** The maximum number of combinators, because many cost the browser time for each element. */
const MAX_COMBINATORS = 12;
const CALL = /([a-z-]*)\(/gi;
const POSITION = /^:?nth-(?:last-)?(?:child|of-type)$|^not$/i;

/** Text that no sheet may contain, even if the rules above allow it. */
const FORBIDDEN =
  /[\\<&]|@(?!media )|\/\*|(?:url|image|image-set|expression|src)\s*\(|(?:[^-]position|behavior|binding)\s*:/i;

/**
 * Returns the safe part of the style sheets in an HTML text: rules and `@media` that format text and boxes, rewritten
 * from parts that match a list. The result cannot fetch or run anything, or place a box elsewhere. Runs in linear time.
 */
export const safeSheets = (html: string): string => {
  const written: Array<string> = [];
  const budget = { rules: MAX_RULES };
  let room = MAX_CHARS;
  for (const { attributes, text } of sheetsOf(html)) {
    const media = /\bmedia\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
    const query = (media?.[1] ?? media?.[2] ?? media?.[3] ?? "").trim();
    const sheet = rulesOf(text.slice(0, room), budget, true);
    room -= Math.min(room, text.length);
    if (sheet === "") continue;
    if (query === "" || /^all$/i.test(query)) written.push(sheet);
    else if (MEDIA.test(query) && !sheet.includes("@")) written.push(`@media ${query}{${sheet}}`);
  }
  const all = written.join("\n");
  return FORBIDDEN.test(all) ? "" : all;
};

/** Returns the contents of style elements outside of comments. */
export const sheetsOf = (html: string): ReadonlyArray<{ readonly attributes: string; readonly text: string }> => {
  const sheets: Array<{ attributes: string; text: string }> = [];
  const opening = new RegExp(OPENING);
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    if (found[0] === "<!--") {
      const end = html.indexOf("-->", opening.lastIndex);
      if (end === -1) break;
      opening.lastIndex = end + 3;
      continue;
    }
    const closing = new RegExp(CLOSING);
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(html)?.index ?? html.length;
    sheets.push({ attributes: found[1] ?? "", text: html.slice(opening.lastIndex, end) });
    opening.lastIndex = end;
  }
  return sheets;
};

const rulesOf = (sheet: string, budget: { rules: number }, mayNest: boolean): string => {
  const css = mayNest ? sheet.replaceAll(/<!--|-->/g, " ").replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, " ") : sheet;
  const kept: Array<string> = [];
  let at = 0;
  while (at < css.length && budget.rules > 0) {
    const open = indexOfAny(css, at);
    if (open === -1) break;
    // A statement such as @import, or a stray brace.
    if (css[open] !== "{") {
      at = open + 1;
      continue;
    }
    const head = css.slice(at, open).trim();
    const close = blockEnd(css, open);
    const block = css.slice(open + 1, close);
    at = close + 1;
    budget.rules--;
    const query = /^@media\s(.*)$/is.exec(head)?.[1]?.replaceAll(/\s+/g, " ").trim();
    if (query !== undefined) {
      const inner = mayNest && MEDIA.test(query) ? rulesOf(block, budget, false) : "";
      if (inner !== "") kept.push(`@media ${query}{${inner}}`);
    } else if (!/[@{}]/.test(head + block)) {
      const rule = ruleOf(head, block);
      if (rule !== "") kept.push(rule);
    }
  }
  return kept.join("\n");
};

const ruleOf = (head: string, block: string): string => {
  const selector = head.replaceAll(/\s+/g, " ");
  if (!SELECTOR.test(selector) || !isPaired(selector)) return "";
  if ([...selector.matchAll(CALL)].some(([, name]) => !POSITION.test(name!))) return "";
  if (selector.split(",").some((one) => (one.match(/[ >+~]+/g) ?? []).length > MAX_COMBINATORS)) return "";
  const { style } = safeStyle(block);
  const declarations = style.split(";").filter((one) => isPaired(one) && !/[\r\n\f]/.test(one));
  return declarations.length === 0 || style === "" ? "" : `${selector}{${declarations.join(";")}}`;
};

/** Returns whether all quotes, parentheses and brackets are closed within the text. */
const isPaired = (text: string): boolean => {
  const bare = text.replaceAll(/"[^"]*"|'[^']*'/g, "");
  const count = (sign: string) => bare.split(sign).length;
  return !/["']/.test(bare) && count("(") === count(")") && count("[") === count("]");
};

const indexOfAny = (css: string, from: number): number => {
  const sign = /[{};]/g;
  sign.lastIndex = from;
  return sign.exec(css)?.index ?? -1;
};

/** Returns the position of the brace that closes a block, or the end of the text. */
const blockEnd = (css: string, open: number): number => {
  const brace = /[{}]/g;
  brace.lastIndex = open;
  let depth = 0;
  for (let found = brace.exec(css); found !== null; found = brace.exec(css)) {
    depth += found[0] === "{" ? 1 : -1;
    if (depth === 0) return found.index;
  }
  return css.length;
};
