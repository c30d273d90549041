import type { Address, Attachment, MessageSummary } from "@postern/core/mail";
import { type Address as ParsedAddress, addressParser, decodeWords } from "postal-mime";
import { headerFields, splitEntity } from "./header-fields.ts";
import { structuredField } from "./mime-parameters.ts";
import { type MimeSection, mimeSections } from "./mime-sections.ts";

/** What of a message never changes. */
export type MessageContents = Omit<MessageSummary, "uid" | "arrivedAt" | "unread" | "flagged" | "answered" | "draft">;

/**
 * What a listing shows of a raw message, as a mail server's ENVELOPE and BODYSTRUCTURE would have it. postal-mime reads
 * words and addresses; the MIME tree is read here, because its attachments bear no section numbers.
 */
export const messageContents = (raw: Uint8Array): MessageContents => {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1");
  const { header, body } = splitEntity(text);
  const fields = headerFields(header);
  return {
    messageId: fields.get("message-id") || null,
    threadId: null,
    subject: decodeWords(fields.get("subject") ?? ""),
    from: addressesOf(fields.get("from"))[0] ?? null,
    to: addressesOf(fields.get("to")),
    cc: addressesOf(fields.get("cc")),
    sentAt: timeOf(fields.get("date")),
    size: raw.length,
    attachments: mimeSections({ fields, body }).flatMap(attachmentOf),
  };
};

/** The members of groups, not the groups (RFC 5322, 3.4). */
const addressesOf = (field: string | undefined): ReadonlyArray<Address> =>
  field === undefined || field === "" ? [] : addressParser(field).flatMap(mailboxesOf);

/** A word alone is a mailbox without a domain to IMAP, a name to the parser; quotes within an encoded word are no part of it. */
const mailboxesOf = ({ group, name, address }: ParsedAddress): ReadonlyArray<Address> => {
  if (group !== undefined) return group.flatMap(mailboxesOf);
  return [address ? { name: name.replace(/^"(.*)"$/, "$1"), address } : { name: "", address: name }];
};

const timeOf = (date: string | undefined): number | null => {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? null : at;
};

/** A part whose type cannot be read is plain text without parameters (RFC 2045, 5.2). */
export const TYPE = /^[^/\s]+\/[^/\s]+$/;

/** Whatever says so or bears a file name, and all that is not text, save the nameless pictures an HTML text refers to. */
const attachmentOf = ({
  section,
  type: { value, parameters },
  fields,
  body,
}: MimeSection): ReadonlyArray<Attachment> => {
  const isTyped = TYPE.test(value);
  const type = isTyped ? value : "text/plain";
  if (type.startsWith("multipart/")) return [];
  const disposition = structuredField(fields.get("content-disposition") ?? "");
  const name = disposition.parameters.get("filename") || (isTyped && parameters.get("name")) || null;
  const isShownInPlace = type.startsWith("text/") || fields.has("content-id");
  return disposition.value === "attachment" || name !== null || !isShownInPlace
    ? [{ id: section, name, type, size: decodedSize(body, fields.get("content-transfer-encoding")) }]
    : [];
};

/** Of encodings only base64 is reckoned with, as it is where IMAP tells the encoded size. */
export const decodedSize = (body: string, encoding: string | undefined): number =>
  encoding?.toLowerCase() === "base64"
    ? Math.floor((body.replaceAll(/[^A-Za-z0-9+/]/g, "").length * 3) / 4)
    : body.length;
