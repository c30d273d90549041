import { messageHtml, safeFragment } from "./safe-html.ts";

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const lineHtml = (line: string): string => `<div dir="auto">${line === "" ? "<br>" : escapeHtml(line)}</div>`;

/** Returns plain text as HTML: a block for each line, and lines that begin with `>` as quotes. */
export const htmlOf = (text: string): string => {
  const lines = text.split("\n");
  let html = "";
  for (let n = 0; n < lines.length; n++) {
    if (!lines[n]!.startsWith(">")) {
      html += lineHtml(lines[n]!);
      continue;
    }
    const quoted: Array<string> = [];
    for (; n < lines.length && lines[n]!.startsWith(">"); n++) quoted.push(lines[n]!.replace(/^> ?/, ""));
    n--;
    html += quoteHtml(htmlOf(quoted.join("\n")));
  }
  return html;
};

/** Returns HTML as a quote of a message. */
export const quoteHtml = (html: string): string => `<blockquote type="cite">${html}</blockquote>`;

/** Returns the HTML of a message for a quote. A picture stays only if `pictures` has its Content-ID. */
export const quotable = (html: string, pictures: ReadonlyMap<string, string> = new Map()): string => {
  const shown = html.replaceAll(/(<img\b[^>]*?\bsrc=")([^"]*)"/gi, (_, start: string, url: string) => {
    const cid = pictures.get(url.replaceAll("&amp;", "&"));
    return `${start}${cid === undefined ? "" : `cid:${cid}`}"`;
  });
  return messageHtml(safeFragment(shown));
};

/** Returns a signature as HTML, with a mark so that another sender's signature can replace it. */
export const signatureHtml = (text: string, html: string): string => {
  if (text.trim() === "" && html.trim() === "") return "";
  const said = html.trim() === "" ? htmlOf(text.trimEnd()) : messageHtml(safeFragment(html));
  return `<div data-signature="">${lineHtml("-- ")}${said}</div>`;
};

/** Returns the HTML with another signature in place of the current one, or before the quoted part. */
export const withSignature = (html: string, signature: string): string => {
  const fragment = safeFragment(html);
  const present = fragment.querySelector("[data-signature]");
  const added = safeFragment(signature);
  if (present !== null) present.replaceWith(added);
  else fragment.insertBefore(added, fragment.querySelector(":scope > blockquote")?.previousSibling ?? null);
  return messageHtml(fragment);
};
