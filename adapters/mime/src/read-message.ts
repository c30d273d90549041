import type { HeaderField } from "@postern/core/mail";
import type { EncodedBody, ReadableMessage, UnparsedMessage } from "@postern/core/messages";
import PostalMime, { decodeWords } from "postal-mime";
import { plainText } from "./html/plain-text.ts";
import { preformatted } from "./html/preformatted.ts";
import { sanitisedHtml } from "./html/sanitised-html.ts";
import { invitationOf } from "./invitation-of.ts";
import { visibleText } from "./html/text-of-groups.ts";

/** Maximum number of header fields kept. */
const MAX_FIELDS = 500;
const MAX_VALUE_CHARS = 16_384;

/** Maximum number of characters of one text. */
const MAX_TEXT_CHARS = 1024 * 1024;

/** Bytes that hold this many characters: four for each character, and three times as many if they are encoded. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARS;
const MAX_ENCODED_BYTES = 3 * MAX_TEXT_BYTES;

/** Encodings that change nothing (RFC 2045, 6.2). */
const IDENTITY = /^(?:7bit|8bit|binary)?$/i;

/** Charset names without information: such text is decoded as UTF-8, otherwise as windows-1252. */
const NO_CHARSET = /^(?:|us-ascii|ascii|ansi_x3\.4-1968|unknown.*|x-unknown|default|none|8bit|7bit|binary|utf-?8)$/i;

/** Returns the readable content of a message. Parsing blocks the thread, so it runs in a worker. */
export const readMessage = async ({
  header,
  bodies,
  pictures,
  withVisibleText = false,
  calendar,
}: UnparsedMessage): Promise<ReadableMessage> => {
  const groups = new Map<number, { plain: Array<string>; html: Array<string>; source: Array<string> }>();
  let blocked = 0;
  for (const body of bodies) {
    const group = groups.get(body.group) ?? { plain: [], html: [], source: [] };
    groups.set(body.group, group);
    const text = await decodedText(body);
    if (body.type === "text/plain") group.plain.push(text);
    else {
      const shown = sanitisedHtml(text, pictures);
      blocked += shown.blocked;
      group.html.push(shown.html);
      group.source.push(text);
    }
  }
  const all = [...groups.values()];
  return {
    headers: await headersOf(header),
    text: all.flatMap(({ plain, html }) => (plain.length > 0 ? plain : html.map(plainText))).join("\n"),
    html: all.some(({ html }) => html.length > 0)
      ? all.flatMap(({ plain, html }) => (html.length > 0 ? html : plain.map(preformatted))).join("\n")
      : null,
    blocked,
    visible: withVisibleText ? visibleText(all) : null,
    ...(calendar === undefined ? {} : { invitation: invitationOf(await decodedText(calendar)) }),
  };
};

/**
 * An empty line ends a header. In the text below it, postal-mime's time would grow with the square of the number of
 * lines.
 */
const HEADER_END = /\n\r?\n/;

const headersOf = async (header: Uint8Array): Promise<ReadonlyArray<HeaderField>> => {
  const end = HEADER_END.exec(Buffer.from(header).toString("latin1"))?.index;
  const { headers } = await PostalMime.parse(header.subarray(0, end));
  return headers
    .slice(0, MAX_FIELDS)
    .map(({ originalKey, value }) => [originalKey, decodeWords(value.slice(0, MAX_VALUE_CHARS))]);
};

/** Decodes by the declared charset; without a useful one as UTF-8, otherwise by the charset in the HTML, otherwise as windows-1252. */
const decodedText = async (body: EncodedBody): Promise<string> => {
  const charset = body.parameters["charset"]?.trim() ?? "";
  if (!NO_CHARSET.test(charset)) return parseText(body, charset);
  const text = await parseText(body, "utf-8");
  if (!text.includes("\ufffd")) return text;
  const own = body.type === "text/html" ? /<meta[^>]{0,200}charset=["']?([\w-]{2,30})/i.exec(text)?.[1] : undefined;
  return parseText(body, own !== undefined && !NO_CHARSET.test(own) ? own : "windows-1252");
};

/** Decodes the beginning of a text, which may end within a character. */
export const decodedBeginning = async (body: EncodedBody): Promise<string> => {
  const charset = body.parameters["charset"]?.trim() ?? "";
  if (!NO_CHARSET.test(charset)) return parseText(body, charset);
  const text = (await parseText(body, "utf-8")).replace(/\ufffd{1,3}\s*$/u, "");
  return text.includes("\ufffd") ? parseText(body, "windows-1252") : text;
};

/** Lines of base64 as long as postal-mime takes; a multiple of four characters. */
const BASE64_LINE = /.{1,32768}/g;

const parseText = async ({ type, parameters, encoding, bytes }: EncodedBody, charset: string): Promise<string> => {
  const format = ["format", "delsp"].flatMap((name) => parameter(name, parameters[name])).join("");
  const head = `Content-Type: ${type}${parameter("charset", charset).join("")}${format}\r\n`;
  const isPlain = IDENTITY.test(encoding) || !/^[\w-]{1,40}$/.test(encoding);
  // postal-mime takes a minute for a million lines that are not encoded.
  const body = isPlain ? inBase64(bytes.subarray(0, MAX_TEXT_BYTES)) : bytes.subarray(0, MAX_ENCODED_BYTES);
  const fields = `${head}Content-Transfer-Encoding: ${isPlain ? "base64" : encoding}\r\n\r\n`;
  const { text, html } = await PostalMime.parse(Buffer.concat([Buffer.from(fields), body]));
  return ((type === "text/html" ? html : text) ?? "").slice(0, MAX_TEXT_CHARS);
};

/** Encodes lines with the line ends that postal-mime uses for text that is not encoded. */
const inBase64 = (bytes: Uint8Array): Buffer => {
  const lines = Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n");
  return Buffer.from(Buffer.from(lines, "latin1").toString("base64").replaceAll(BASE64_LINE, "$&\r\n"));
};

const parameter = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value !== undefined && /^[\w.:+-]{1,60}$/.test(value) ? [`; ${name}="${value}"`] : [];
