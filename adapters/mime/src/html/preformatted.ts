/** Returns text as HTML that displays it unchanged. */
export const preformatted = (text: string): string => `<div style="white-space:pre-wrap">${escapeHtml(text)}</div>`;

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
