import {
  type HeaderField,
  type MessagePart,
  MAX_NESTING,
  MAX_PARTS,
  MAX_PART_CHARS,
  type ParsedMessage,
} from "@postern/core/mail";
import PostalMime, { type Attachment, decodeWords, type Email } from "postal-mime";

/** Maximum number of bytes parsed of a message. Reports are small, and the messages that they return may be truncated. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Maximum number of lines parsed of a message, because postal-mime's time grows with the square of the lines of a text. */
const MAX_LINES = 50_000;
const LINE_FEED = 0x0a;

/** Maximum number of header fields kept. */
const MAX_FIELDS = 500;
const MAX_VALUE_CHARS = 16_384;

/** Types whose content is read whatever the part's disposition and name, because reports arrive as attachments too. */
const TEXT_TYPE = /^(?:text\/|message\/|application\/(?:delivery-status|octet-stream$))/;
const NESTED_TYPE = /^message\/(?:rfc822|global)$/;

/**
 * Parses a raw message for the core's detection of reports. Rejects nesting or headers beyond postal-mime's limits.
 * Parsing blocks the thread, so it runs in a worker.
 */
export const parsedMessage = (raw: Uint8Array): Promise<ParsedMessage> => parse(beginningOf(raw), 0);

/** Returns the part of a message that is parsed. */
const beginningOf = (raw: Uint8Array): Uint8Array => {
  const whole = raw.subarray(0, MAX_MESSAGE_BYTES);
  let end = 0;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    end = whole.indexOf(LINE_FEED, end) + 1;
    if (end === 0) return whole;
  }
  return whole.subarray(0, end);
};

const parse = async (raw: Uint8Array, depth: number): Promise<ParsedMessage> => {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 32 });
  const parts: Array<MessagePart> = [...bodyParts(email)];
  for (const attachment of email.attachments.slice(0, MAX_PARTS)) parts.push(await parseAttached(attachment, depth));
  // A multipart without its boundary yields no parts, although mail clients show its text.
  if (parts.length === 0) parts.push({ type: "text/plain", text: bodyOf(raw), message: null });
  return { headers: email.headers.slice(0, MAX_FIELDS).map(fieldOf), parts };
};

const fieldOf = ({ originalKey, value }: Email["headers"][number]): HeaderField => [
  originalKey,
  decodeWords(value.slice(0, MAX_VALUE_CHARS)),
];

const bodyParts = ({ text, html }: Email): ReadonlyArray<MessagePart> => [
  ...(text === undefined ? [] : [{ type: "text/plain", text: text.slice(0, MAX_PART_CHARS), message: null }]),
  ...(html === undefined ? [] : [{ type: "text/html", text: html.slice(0, MAX_PART_CHARS), message: null }]),
];

const parseAttached = async ({ mimeType, content }: Attachment, depth: number): Promise<MessagePart> => {
  const type = mimeType.toLowerCase();
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  if (NESTED_TYPE.test(type) && depth < MAX_NESTING) return { type, text: "", message: await parse(bytes, depth + 1) };
  const text = TEXT_TYPE.test(type) ? decodeText(bytes) : "";
  return { type, text: type.endsWith("delivery-status") ? decodeWords(text) : text, message: null };
};

/** Decodes attached text, whose charset is unknown: UTF-8 if it is valid, otherwise windows-1252. */
const decodeText = (bytes: Uint8Array): string => {
  const head = bytes.subarray(0, MAX_PART_CHARS);
  const text = new TextDecoder().decode(head);
  return text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(head) : text;
};

const bodyOf = (raw: Uint8Array): string => {
  const text = decodeText(raw);
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? "" : text.slice(end.index + end[0].length);
};
