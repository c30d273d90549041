import DOMPurify from "dompurify";

const TAGS =
  "a|abbr|b|blockquote|br|caption|code|del|div|em|h1|h2|h3|h4|h5|h6|hr|i|img|ins|li|ol|p|pre|q|s|small|span|strong|sub|sup|" +
  "table|tbody|td|tfoot|th|thead|tr|u|ul";
const ATTRIBUTES = [
  "alt",
  "cite",
  "colspan",
  "data-cid",
  "data-signature",
  "dir",
  "height",
  "href",
  "rowspan",
  "src",
  "start",
  "title",
  "type",
  "width",
];

const LINK = /^(?:https?|mailto|tel):/i;
const CID = /^cid:(.+)$/i;
const PICTURE_DATA = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;

const makePurifier = () => {
  const purifier = DOMPurify(window);
  // A picture of the message is marked by `data-cid`. Pictures of other servers are removed, because loading them would
  // tell the servers what the user writes.
  purifier.addHook("afterSanitizeAttributes", (node) => {
    if (node.tagName === "A" && !LINK.test(node.getAttribute("href") ?? "")) node.removeAttribute("href");
    if (node.tagName !== "IMG") return;
    const source = node.getAttribute("src") ?? "";
    const cid = CID.exec(source)?.[1];
    if (cid !== undefined) node.setAttribute("data-cid", cid);
    if (cid !== undefined || !PICTURE_DATA.test(source)) node.removeAttribute("src");
    if (!node.hasAttribute("src") && !node.hasAttribute("data-cid")) node.replaceWith(node.getAttribute("alt") ?? "");
  });
  return purifier;
};

let purifier: ReturnType<typeof makePurifier> | undefined;

/** Returns pasted, quoted or stored HTML in a form that is safe in the editor: its structure without scripts, styles and remote content. */
export const safeFragment = (html: string): DocumentFragment =>
  document.importNode(
    (purifier ??= makePurifier()).sanitize(html, {
      ALLOWED_TAGS: TAGS.split("|"),
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    }),
    true,
  );

/** Returns the HTML of nodes for a message, with `cid:` URLs of its pictures. */
export const messageHtml = (root: ParentNode): string => {
  const copy = document.createElement("template").content.ownerDocument.createElement("div");
  copy.append(...[...root.childNodes].map((node) => copy.ownerDocument.importNode(node, true)));
  for (const picture of copy.querySelectorAll("img[data-cid]")) {
    const cid = picture.getAttribute("data-cid")!;
    // The order of attributes is always the same, so that an unchanged text has unchanged HTML.
    for (const name of ["data-cid", "src"]) picture.removeAttribute(name);
    picture.setAttribute("src", `cid:${cid}`);
  }
  // Squire keeps the cursor in blocks with characters of zero width.
  return copy.innerHTML.replaceAll("\u200b", "");
};
