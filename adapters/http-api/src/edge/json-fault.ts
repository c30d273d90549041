/**
 * Returns the line and column (from 1) where a text stops being JSON (RFC 8259); undefined if the whole text is JSON.
 */
export const jsonFault = (text: string): { readonly line: number; readonly column: number } | undefined => {
  const open: Array<string> = [];
  let wanted: string = VALUE;
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    if (at === text.length && wanted === END) return undefined;
    TOKEN.lastIndex = at;
    const [token = ""] = TOKEN.exec(text) ?? [];
    const kind = token === "" ? "?" : (KINDS[token[0]!] ?? token[0]!);
    if (!wanted.includes(kind)) {
      const lines = text.slice(0, at).split(/\r\n?|\n/);
      return { line: lines.length, column: lines.at(-1)!.length + 1 };
    }
    at = TOKEN.lastIndex;
    if (kind === "{" || kind === "[") open.push(kind);
    if (kind === "}" || kind === "]") open.pop();
    const within = open.at(-1);
    if (kind === "{") wanted = FIRST_KEY;
    else if (kind === "[") wanted = FIRST_ITEM;
    else if (kind === ":") wanted = VALUE;
    else if (kind === ",") wanted = within === "{" ? KEY : VALUE;
    else if (kind === '"' && (wanted === KEY || wanted === FIRST_KEY)) wanted = ":";
    else wanted = within === undefined ? END : within === "{" ? ",}" : ",]";
  }
};

const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  // eslint-disable-next-line no-control-regex
  /[{}[\]:,]|"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The kinds of tokens that may come next. `v` stands for a number, `true`, `false` or `null`. */
const VALUE = '{["v';
const FIRST_ITEM = '{["v]';
const KEY = '"';
const FIRST_KEY = '"}';
const END = "";

const KINDS: Readonly<Record<string, string>> = Object.fromEntries([..."-0123456789tfn"].map((first) => [first, "v"]));
