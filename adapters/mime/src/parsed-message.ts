import {
  type HeaderField,
  type MessagePart,
  NESTING_LIMIT,
  PART_LIMIT,
  PART_TEXT_LIMIT,
  type ParsedMessage,
} from "@postern/core/mail";
import PostalMime, { type Attachment, decodeWords, type Email } from "postal-mime";

/** Bytes of a message that are parsed: reports are small, and what they return may be cut. */
const MESSAGE_LIMIT = 4 * 1024 * 1024;

/** Fields of one header that are kept. */
const FIELD_LIMIT = 500;
const VALUE_LIMIT = 16_384;

/** Looks inside these whatever they are called: reports travel as attachments, unnamed or named anything. */
const TEXT_TYPE = /^(?:text\/|message\/|application\/(?:delivery-status|octet-stream$))/;
const NESTED_TYPE = /^message\/(?:rfc822|global)$/;

/**
 * A raw message as the core's recogniser reads it. Rejects what no parser should have to read: a nesting or headers beyond
 * postal-mime's limits. It blocks its thread while it parses, so it belongs into a worker ("MIME").
 */
export const parsedMessage = (raw: Uint8Array): Promise<ParsedMessage> => parse(raw.subarray(0, MESSAGE_LIMIT), 0);

const parse = async (raw: Uint8Array, depth: number): Promise<ParsedMessage> => {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 32 });
  const parts: Array<MessagePart> = [...bodyParts(email)];
  for (const attachment of email.attachments.slice(0, PART_LIMIT)) parts.push(await attached(attachment, depth));
  // A multipart without its boundary yields nothing at all, though a reader sees its text.
  if (parts.length === 0) parts.push({ type: "text/plain", text: bodyOf(raw), message: null });
  return { headers: email.headers.slice(0, FIELD_LIMIT).map(fieldOf), parts };
};

const fieldOf = ({ originalKey, value }: Email["headers"][number]): HeaderField => [
  originalKey,
  decodeWords(value.slice(0, VALUE_LIMIT)),
];

const bodyParts = ({ text, html }: Email): ReadonlyArray<MessagePart> => [
  ...(text === undefined ? [] : [{ type: "text/plain", text: text.slice(0, PART_TEXT_LIMIT), message: null }]),
  ...(html === undefined ? [] : [{ type: "text/html", text: html.slice(0, PART_TEXT_LIMIT), message: null }]),
];

const attached = async ({ mimeType, content }: Attachment, depth: number): Promise<MessagePart> => {
  const type = mimeType.toLowerCase();
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  if (NESTED_TYPE.test(type) && depth < NESTING_LIMIT)
    return { type, text: "", message: await parse(bytes, depth + 1) };
  const text = TEXT_TYPE.test(type) ? decoded(bytes) : "";
  return { type, text: type.endsWith("delivery-status") ? decodeWords(text) : text, message: null };
};

/** Attached text has lost its charset: UTF-8 where it is that, else the western default. */
const decoded = (bytes: Uint8Array): string => {
  const head = bytes.subarray(0, PART_TEXT_LIMIT);
  const text = new TextDecoder().decode(head);
  return text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(head) : text;
};

const bodyOf = (raw: Uint8Array): string => {
  const text = decoded(raw);
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? "" : text.slice(end.index + end[0].length);
};
