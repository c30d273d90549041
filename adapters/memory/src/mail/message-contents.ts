import { type Address, type BodyPart, leavesOf, type MessageSummary } from "@postern/core/mail";
import { type Address as ParsedAddress, addressParser, decodeWords } from "postal-mime";
import { messageEntity } from "./entity.ts";
import { messageStructure } from "./message-structure.ts";

/** What of a message never changes. */
export type MessageContents = Omit<MessageSummary, "uid" | "arrivedAt" | "unread" | "flagged" | "answered" | "draft">;

/**
 * What a listing shows of a raw message, as a mail server's ENVELOPE and BODYSTRUCTURE would have it. postal-mime reads
 * words and addresses.
 */
export const messageContents = (raw: Uint8Array): MessageContents => {
  const entity = messageEntity(raw);
  const { fields } = entity;
  return {
    messageId: fields.get("message-id") || null,
    threadId: null,
    subject: decodeWords(fields.get("subject") ?? ""),
    from: addressesOf(fields.get("from"))[0] ?? null,
    to: addressesOf(fields.get("to")),
    cc: addressesOf(fields.get("cc")),
    sentAt: timeOf(fields.get("date")),
    size: raw.length,
    attachments: leavesOf(messageStructure(entity).structure)
      .filter(isAttachment)
      .map(({ section: id, name, type, size }) => ({ id, name, type, size })),
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

/** Each part that says so or has a file name, and all that is not text, save the nameless pictures an HTML text refers to. */
const isAttachment = ({ disposition, name, type, contentId }: BodyPart): boolean =>
  disposition === "attachment" || name !== null || !(type.startsWith("text/") || contentId !== null);
