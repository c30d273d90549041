/** The declarations of a rule or a style attribute, by property. */
export type Declarations = ReadonlyArray<readonly [property: string, value: string, isImportant: boolean]>;

/** An element as selectors see it. */
export interface Selectable {
  readonly tag: string;
  readonly id: string;
  readonly classes: ReadonlyArray<string>;
}

interface Rule {
  /** The compound selectors from the ancestor to the element. */
  readonly path: ReadonlyArray<Selectable>;
  readonly specificity: number;
  readonly declarations: Declarations;
}

/** Maximum number of rules that are read, as for the HTML that is shown. */
const MAX_RULES = 2_000;

/** The width in pixels of the window for which media queries are evaluated. */
const WINDOW = 1024;

/** Returns the declarations of a style attribute or the block of a rule. */
export const declarationsOf = (block: string): Declarations =>
  block
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, " ")
    .split(";")
    .slice(0, 200)
    .flatMap((declaration) => {
      const colon = declaration.indexOf(":");
      if (colon < 1) return [];
      const written = declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase();
      const value = written.replace(/\s*!\s*important$/, "");
      return [[declaration.slice(0, colon).trim().toLowerCase(), value, value !== written] as const];
    });

/**
 * The rules of style sheets, which determine the declarations of an element. Supports selectors by tag, class, id and
 * ancestor.
 */
export class SheetRules {
  readonly #byKey = new Map<string, Array<Rule>>();
  #count = 0;

  add(sheet: string): void {
    const css = sheet.replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, " ").replaceAll(/<!--|-->/g, " ");
    this.#read(css, 0);
  }

  /** Returns the declarations for an element, the strongest last. */
  of(element: Selectable, ancestors: ReadonlyArray<Selectable>): ReadonlyArray<Declarations> {
    if (this.#count === 0) return [];
    const keys = ["*", element.tag, `#${element.id}`, ...element.classes.map((name) => `.${name}`)];
    return keys
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter(({ path }) => matches(path, element, ancestors))
      .toSorted((one, other) => one.specificity - other.specificity)
      .map(({ declarations }) => declarations);
  }

  #read(css: string, depth: number): void {
    let at = 0;
    while (this.#count < MAX_RULES) {
      const open = css.indexOf("{", at);
      if (open === -1) return;
      const head = css.slice(css.lastIndexOf(";", open) > at ? css.lastIndexOf(";", open) + 1 : at, open).trim();
      const close = blockEnd(css, open);
      const block = css.slice(open + 1, close);
      at = close + 1;
      if (!head.startsWith("@")) this.#addRule(head, block);
      else if (depth < 3 && holds(head)) this.#read(block, depth + 1);
    }
  }

  #addRule(head: string, block: string): void {
    const declarations = declarationsOf(block);
    for (const selector of head.split(",")) {
      const path = pathOf(selector);
      const last = path?.at(-1);
      if (path === undefined || last === undefined) continue;
      const key = last.id === "" ? (last.classes[0] === undefined ? last.tag : `.${last.classes[0]}`) : `#${last.id}`;
      const weight = path.map(({ tag, id, classes }) => {
        const ofTag = tag === "*" ? 0 : 1;
        return (id === "" ? 0 : 10_000) + classes.length * 100 + ofTag;
      });
      const rules = this.#byKey.get(key) ?? [];
      rules.push({ path, specificity: weight.reduce((sum, one) => sum + one, 0), declarations });
      this.#byKey.set(key, rules);
      this.#count++;
    }
  }
}

/** Returns whether the rules of an at-rule apply in a wide window on a screen. */
const holds = (head: string): boolean => {
  const [, query] = /^@media\s(.*)$/is.exec(head.toLowerCase()) ?? [];
  if (query === undefined) return /^@(?:supports|layer|scope|container)\b/i.test(head);
  if (/\b(?:print|speech|not)\b|prefers-color-scheme\s*:\s*dark/.test(query)) return false;
  const widths = [...query.matchAll(/(min|max)-(?:device-)?width\s*:\s*(\d+)/g)];
  return widths.every(([, bound, width]) => (bound === "min" ? Number(width) <= WINDOW : Number(width) >= WINDOW));
};

const COMPOUND = /^(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)$/i;

/** Returns the compound selectors of a selector; undefined if it has a pseudo-class, an attribute or a sibling. */
const pathOf = (selector: string): ReadonlyArray<Selectable> | undefined => {
  const parts = selector
    .trim()
    .split(/\s*>\s*|\s+/)
    .slice(0, 20);
  const path: Array<Selectable> = [];
  for (const part of parts) {
    const [whole, tag = "*", names = ""] = COMPOUND.exec(part) ?? [];
    if (whole === undefined || whole === "") return undefined;
    const named = (sign: string) =>
      [...names.matchAll(/([.#])([\w-]+)/g)].filter(([, found]) => found === sign).map(([, , name]) => name!);
    path.push({ tag: tag.toLowerCase(), id: named("#")[0] ?? "", classes: named(".") });
  }
  return path;
};

const matches = (
  path: ReadonlyArray<Selectable>,
  element: Selectable,
  ancestors: ReadonlyArray<Selectable>,
): boolean => {
  if (!isMatch(path.at(-1)!, element)) return false;
  let wanted = path.length - 2;
  for (let at = ancestors.length - 1; at >= 0 && wanted >= 0; at--) {
    if (isMatch(path[wanted]!, ancestors[at]!)) wanted--;
  }
  return wanted < 0;
};

const isMatch = (wanted: Selectable, { tag, id, classes }: Selectable): boolean =>
  (wanted.tag === "*" || wanted.tag === tag) &&
  (wanted.id === "" || wanted.id === id) &&
  wanted.classes.every((name) => classes.includes(name));

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
