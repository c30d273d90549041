/** A remote reference in a style sheet. The quote has its own group, so that spaces match in only one way. */
const REMOTE = /(?:url\(|@import)\s*(?:["']\s*)?(?:https?:|\/\/)/gi;

const OPENING = /<style\b/gi;

/** Returns the number of remote references in the style sheets of an HTML text, in one pass. */
export const remoteInSheets = (html: string): number => {
  const opening = new RegExp(OPENING);
  let remote = 0;
  while (opening.test(html)) {
    const start = html.indexOf(">", opening.lastIndex);
    if (start === -1) break;
    const next = html.indexOf("<", start);
    const end = next === -1 ? html.length : next;
    remote += [...html.slice(start, end).matchAll(REMOTE)].length;
    opening.lastIndex = end;
  }
  return remote;
};
