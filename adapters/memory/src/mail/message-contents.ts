import {
  type Address,
  type BodyPart,
  deriveThreadId,
  leavesOf,
  type MessageSummary,
  MAX_ADDRESSES,
  MAX_ATTACHMENTS,
} from "@postern/core/mail";
import { type Address as ParsedAddress, addressParser, decodeWords } from "postal-mime";
import { messageEntity } from "./entity.ts";
import { messageStructure } from "./message-structure.ts";

/** The immutable data of a message. */
export type MessageContents = Omit<
  MessageSummary,
  "uid" | "arrivedAt" | "unread" | "flagged" | "answered" | "draft" | "labels"
>;

/**
 * Returns the contents of a raw message for listings, equal to a mail server's ENVELOPE and BODYSTRUCTURE. postal-mime
 * decodes words and parses addresses.
 */
export const messageContents = (raw: Uint8Array): MessageContents => {
  const entity = messageEntity(raw);
  const { fields } = entity;
  const [to, cc] = [addressesOf(fields.get("to")), addressesOf(fields.get("cc"))];
  const attachments = leavesOf(messageStructure(entity).structure).filter(isAttachment);
  return {
    messageId: fields.get("message-id") || null,
    threadId: deriveThreadId({
      messageId: fields.get("message-id") ?? null,
      inReplyTo: fields.get("in-reply-to") ?? "",
      references: fields.get("references") ?? "",
    }),
    subject: decodeWords(fields.get("subject") ?? ""),
    from: addressesOf(fields.get("from"))[0] ?? null,
    to: to.slice(0, MAX_ADDRESSES),
    cc: cc.slice(0, MAX_ADDRESSES),
    toCount: to.length,
    ccCount: cc.length,
    sentAt: timeOf(fields.get("date")),
    size: raw.length,
    attachments: attachments
      .slice(0, MAX_ATTACHMENTS)
      .map(({ section: id, name, type, size }) => ({ id, name, type, size })),
    attachmentCount: attachments.length,
  };
};

/** Returns the members of groups instead of the groups (RFC 5322, 3.4). */
const addressesOf = (field: string | undefined): ReadonlyArray<Address> =>
  field === undefined || field === "" ? [] : addressParser(field).flatMap(mailboxesOf);

/**
 * Returns the mailboxes of an address. IMAP treats a single word as a mailbox without a domain, but the parser treats
 * it as a name. Quotes within an encoded word are dropped.
 */
const mailboxesOf = ({ group, name, address }: ParsedAddress): ReadonlyArray<Address> => {
  if (group !== undefined) return group.flatMap(mailboxesOf);
  return [address ? { name: name.replace(/^"(.*)"$/, "$1"), address } : { name: "", address: name }];
};

const timeOf = (date: string | undefined): number | null => {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? null : at;
};

/**
 * Returns whether a part is an attachment: it has the disposition `attachment` or a file name, or is neither text nor
 * referred to by an HTML text.
 */
const isAttachment = ({ disposition, name, type, contentId }: BodyPart): boolean =>
  disposition === "attachment" || name !== null || !(type.startsWith("text/") || contentId !== null);
