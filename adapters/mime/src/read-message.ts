import type { HeaderField } from "@postern/core/mail";
import type { EncodedBody, ReadableMessage, UnparsedMessage } from "@postern/core/messages";
import PostalMime, { decodeWords } from "postal-mime";
import { plainText } from "./plain-text.ts";
import { preformatted } from "./preformatted.ts";
import { sanitisedHtml } from "./sanitised-html.ts";

/** Fields of one header that are kept. */
const FIELD_LIMIT = 500;
const VALUE_LIMIT = 16_384;

/** Characters of one text that are shown. */
const TEXT_LIMIT = 1024 * 1024;

/** Charsets that say nothing: what is written under them is UTF-8, or the western default. */
const NO_CHARSET = /^(?:|us-ascii|ascii|ansi_x3\.4-1968|unknown.*|x-unknown|default|none|8bit|7bit|binary|utf-?8)$/i;

/** What a person reads of a message. It blocks its thread while it parses, so it belongs into a worker ("MIME"). */
export const readMessage = async ({ header, bodies, pictures }: UnparsedMessage): Promise<ReadableMessage> => {
  const groups = new Map<number, { plain: Array<string>; html: Array<string> }>();
  let blocked = 0;
  for (const body of bodies) {
    const group = groups.get(body.group) ?? { plain: [], html: [] };
    groups.set(body.group, group);
    const text = (await decodedText(body)).slice(0, TEXT_LIMIT);
    if (body.type === "text/plain") group.plain.push(text);
    else {
      const shown = sanitisedHtml(text, pictures);
      blocked += shown.blocked;
      group.html.push(shown.html);
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
  };
};

const headersOf = async (header: Uint8Array): Promise<ReadonlyArray<HeaderField>> => {
  const { headers } = await PostalMime.parse(header);
  return headers
    .slice(0, FIELD_LIMIT)
    .map(({ originalKey, value }) => [originalKey, decodeWords(value.slice(0, VALUE_LIMIT))]);
};

/** By its charset; where that says nothing by UTF-8, or what the HTML says of itself, or the western default. */
const decodedText = async (body: EncodedBody): Promise<string> => {
  const charset = body.parameters["charset"]?.trim() ?? "";
  if (!NO_CHARSET.test(charset)) return parsed(body, charset);
  const text = await parsed(body, "utf-8");
  if (!text.includes("\ufffd")) return text;
  const own = body.type === "text/html" ? /<meta[^>]{0,200}charset=["']?([\w-]{2,30})/i.exec(text)?.[1] : undefined;
  return parsed(body, own !== undefined && !NO_CHARSET.test(own) ? own : "windows-1252");
};

const parsed = async ({ type, parameters, encoding, bytes }: EncodedBody, charset: string): Promise<string> => {
  const format = ["format", "delsp"].flatMap((name) => parameter(name, parameters[name])).join("");
  const head = `Content-Type: ${type}${parameter("charset", charset).join("")}${format}\r\n`;
  const entity = Buffer.concat([
    Buffer.from(`${head}Content-Transfer-Encoding: ${/^[\w-]{1,40}$/.test(encoding) ? encoding : "8bit"}\r\n\r\n`),
    bytes,
  ]);
  const { text, html } = await PostalMime.parse(entity);
  return (type === "text/html" ? html : text) ?? "";
};

const parameter = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value !== undefined && /^[\w.:+-]{1,60}$/.test(value) ? [`; ${name}="${value}"`] : [];
