const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>\n")}</p>\n`)
    .join("");

/** Returns a letter in HTML as a mail client writes it, with an optional picture below. */
export const letterHtml = (text: string, contentId: string | undefined): string =>
  `<html><body>\n${paragraphs(text)}${contentId === undefined ? "" : `<p><img src="cid:${contentId}" alt=""></p>\n`}</body></html>\n`;

/** Returns an issue of a newsletter in HTML with a picture on top. */
export const issueHtml = (sender: string, title: string, text: string): string =>
  `<html><body style="font-family:Georgia,serif;max-width:36em">\n<img src="cid:band@letters.test" alt="">\n` +
  `<p style="color:#264653">${escapeHtml(sender)}</p>\n<h1>${escapeHtml(title)}</h1>\n${paragraphs(text)}</body></html>\n`;
