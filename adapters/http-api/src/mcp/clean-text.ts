/** A text without invisible characters and without live addresses. */
export interface CleanText {
  readonly text: string;
  /** The number of invisible characters that were removed. */
  readonly invisible: number;
  /** The addresses of the links; the text shows only their hosts. */
  readonly addresses: ReadonlyArray<string>;
}

/** Characters without a glyph, except variation selectors of emoji, and control characters, except line ends and tabs. */
const INVISIBLE = /[^\P{Default_Ignorable_Code_Point}\ufe00-\ufe0f]|[^\P{Cc}\t\n\r]|[\ufff9-\ufffb]/gu;

const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>"')\]]+/gi;

const hostOf = (address: string): string => {
  try {
    return new URL(address).host;
  } catch {
    return "unreadable";
  }
};

/** Returns a text of a stranger as an assistant may read it: links show their hosts. */
export const cleanText = (text: string): CleanText => {
  const visible = text.replaceAll(INVISIBLE, "");
  const addresses = new Set<string>();
  const shown = visible.replaceAll(ADDRESS, (address) => {
    addresses.add(address);
    return `[link: ${hostOf(address)}]`;
  });
  return { text: shown, invisible: [...text].length - [...visible].length, addresses: [...addresses] };
};
