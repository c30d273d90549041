const BLOCKS = new Set(
  "ADDRESS|BLOCKQUOTE|CAPTION|DIV|DL|H1|H2|H3|H4|H5|H6|HR|LI|OL|P|PRE|TABLE|TBODY|TFOOT|THEAD|TR|UL".split("|"),
);
/** Blocks that get an empty line before and after them. */
const SPACED = new Set(["P", "PRE", "H1", "H2", "H3", "H4", "H5", "H6"]);

/** Returns nodes of a message as plain text: lists with marks, quotes with `> `, links with their URL. */
export const plainText = (root: Node): string =>
  `${linesOf(root)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;

const linesOf = (parent: Node): Array<string> => {
  const lines: Array<string> = [];
  let line: string | null = null;
  let number = 0;
  const close = (): void => {
    if (line !== null) lines.push(line.trimEnd());
    line = null;
  };
  const visit = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) {
      const isKept = node.parentElement?.closest("pre") != null;
      const text = (node.textContent ?? "").replaceAll("\u200b", "").replaceAll("\u00a0", " ");
      const said = isKept ? text : text.replaceAll(/[\t\n\r ]+/g, " ");
      if (said !== "" && !(line === null && said === " ")) line = (line ?? "") + said;
      return;
    }
    if (!(node instanceof Element)) return;
    if (node.tagName === "BR") {
      line ??= "";
      close();
    } else if (node.tagName === "IMG") {
      const alt = node.getAttribute("alt") ?? "";
      if (alt !== "") line = `${line ?? ""}[${alt}]`;
    } else if (BLOCKS.has(node.tagName)) {
      close();
      const isSpaced = SPACED.has(node.tagName);
      if (isSpaced && lines.length > 0 && lines.at(-1) !== "") lines.push("");
      lines.push(...blockLines(node, () => ++number));
      if (isSpaced) lines.push("");
    } else if (node.tagName === "TD" || node.tagName === "TH") {
      line = line === null ? "" : `${line.trimEnd()}  `;
      line += linesOf(node).join(" ");
    } else {
      for (const child of node.childNodes) visit(child);
      const href = node.tagName === "A" ? (node.getAttribute("href") ?? "") : "";
      if (href !== "" && !isNamed(href, node.textContent ?? "")) line = `${line ?? ""} <${href}>`;
    }
  };
  for (const child of parent.childNodes) visit(child);
  close();
  return lines;
};

const blockLines = (block: Element, next: () => number): ReadonlyArray<string> => {
  if (block.tagName === "HR") return ["----------"];
  const lines = linesOf(block);
  if (block.tagName === "BLOCKQUOTE")
    return lines.map((line) => (line.startsWith(">") ? `>${line}` : `> ${line}`.trimEnd()));
  if (block.tagName !== "LI") return lines;
  const mark = block.parentElement?.tagName === "OL" ? `${next()}. ` : "- ";
  return lines.map((line, n) => (n === 0 ? mark : " ".repeat(mark.length)) + line);
};

/** Returns whether the text of a link already contains its URL. */
const isNamed = (href: string, text: string): boolean =>
  href.replace(/^(?:mailto:|https?:\/\/)/, "").replace(/\/$/, "") ===
  text
    .trim()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
