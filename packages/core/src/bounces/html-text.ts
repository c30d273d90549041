const BLOCKS = new Set(["br", "p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "hr", "pre", "dt"]);
const IGNORED_TAGS = new Set(["style", "script", "head", "title"]);
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  ecirc: "ê",
  agrave: "à",
  aacute: "á",
  acirc: "â",
  atilde: "ã",
  iacute: "í",
  oacute: "ó",
  otilde: "õ",
  uacute: "ú",
  ugrave: "ù",
  ccedil: "ç",
  ntilde: "ñ",
  rsquo: "’",
  lsquo: "‘",
  shy: "",
};
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([A-Za-z]{2,8}));/gi;

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "");

const decodeEntities = (text: string): string =>
  text.replaceAll(ENTITY, (whole: string, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return character(Number.parseInt(hex, 16));
    if (decimal !== undefined) return character(Number(decimal));
    return NAMED[name ?? ""] ?? whole;
  });

/** Returns the visible text of HTML in one pass; tolerates invalid HTML. */
export const htmlText = (html: string): string => {
  const shown: Array<string> = [];
  let silent: string | null = null;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open === -1 ? html.length : open;
    if (silent === null && end > at) shown.push(decodeEntities(html.slice(at, end).replaceAll(/\s+/g, " ")));
    if (open === -1) break;
    const tag = /^<(\/?)([a-z][a-z0-9]{0,9})(?=[\s/>])/i.exec(html.slice(open, open + 14));
    const comment = html.startsWith("<!", open) || html.startsWith("<?", open);
    if (tag === null && !comment) {
      if (silent === null) shown.push("<");
      at = open + 1;
      continue;
    }
    const close = html.indexOf(">", open);
    if (close === -1) break;
    const name = tag?.[2]?.toLowerCase() ?? "";
    if (silent === null) {
      if (BLOCKS.has(name)) shown.push("\n");
      else if (name === "td" || name === "th") shown.push(" ");
      if (tag?.[1] === "" && IGNORED_TAGS.has(name)) silent = name;
    } else if (name === silent && tag?.[1] === "/") silent = null;
    at = close + 1;
  }
  return shown.join("");
};
