import {
  type Address,
  deriveThreadId,
  labelsOf,
  MAX_ADDRESSES,
  MAX_ATTACHMENTS,
  MAX_SHOWN_CHARS,
  type MessageSummary,
  type RelationFields,
} from "@postern/core/mail";
import type { FetchMessageObject, FetchQueryObject, MessageAddressObject } from "imapflow";
import { attachmentsOf } from "./attachments.ts";
import type { ListedEnvelope } from "../rows/envelope.ts";

/** The data items that a listing fetches of a message. */
export const SUMMARY: FetchQueryObject = {
  uid: true,
  flags: true,
  envelope: true,
  bodyStructure: true,
  internalDate: true,
  size: true,
  threadId: true,
  labels: true,
  headers: ["references"],
};

/** The data items that are fetched if `SUMMARY` cannot be read. */
export const BARE: FetchQueryObject = {
  uid: true,
  flags: true,
  internalDate: true,
  size: true,
  threadId: true,
  labels: true,
};

/**
 * Returns the summary of a fetched message. Undefined for a row that holds only unsolicited flags, and for Dovecot's
 * row of an expunged message, which is empty with size 0.
 */
export const messageSummary = (row: FetchMessageObject): MessageSummary | undefined => {
  if (!row.uid || !row.size) return undefined;
  const envelope: ListedEnvelope | undefined = row.envelope;
  const [to, cc] = [addresses(envelope?.to), addresses(envelope?.cc)];
  const attachments = attachmentsOf(row.bodyStructure);
  return {
    uid: row.uid,
    messageId: usableId(envelope?.messageId),
    threadId: row.threadId ?? deriveThreadId(relationsOf(row)),
    subject: (envelope?.subject ?? "").slice(0, MAX_SHOWN_CHARS),
    from: addresses(envelope?.from)[0] ?? null,
    to: to.slice(0, MAX_ADDRESSES),
    cc: cc.slice(0, MAX_ADDRESSES),
    toCount: to.length + (envelope?.others?.to ?? 0),
    ccCount: cc.length + (envelope?.others?.cc ?? 0),
    arrivedAt: time(row.internalDate) ?? 0,
    sentAt: time(envelope?.date),
    ...flagsOf(row),
    size: row.size,
    attachments: attachments.slice(0, MAX_ATTACHMENTS),
    attachmentCount: attachments.length,
  };
};

/** Returns a message id; null for a text longer than the line of 998 characters that holds an id (RFC 5322, 2.1.1). */
const usableId = (id: string | undefined): string | null => (id && id.length <= MAX_SHOWN_CHARS ? id : null);

const REFERENCES = /^references[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/im;

/**
 * Returns the fields for threading. The row of a listing has only References as its header; the row of an opened
 * message has the whole header.
 */
const relationsOf = ({ envelope, headers }: FetchMessageObject): RelationFields => ({
  messageId: envelope?.messageId ?? null,
  inReplyTo: envelope?.inReplyTo ?? "",
  references: REFERENCES.exec(headers?.toString("utf8") ?? "")?.[1] ?? "",
});

/** Returns the flags that a listing shows. */
export const flagsOf = ({ flags, labels }: Pick<FetchMessageObject, "flags" | "labels">) => ({
  unread: flags?.has("\\Seen") !== true,
  flagged: flags?.has("\\Flagged") === true,
  answered: flags?.has("\\Answered") === true,
  draft: flags?.has("\\Draft") === true,
  labels: labels === undefined ? labelsOf(flags ?? []) : shownLabels(labels),
});

/** Returns a time in epoch milliseconds; null for a date that imapflow could not parse and left as text. */
const time = (date: Date | string | undefined): number | null => {
  const at = date instanceof Date ? date.getTime() : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

const addresses = (listed: ReadonlyArray<MessageAddressObject> = []): ReadonlyArray<Address> => {
  const found: Array<Address> = [];
  for (const { name, address } of listed) {
    // The entry of a group has no address (RFC 9051, 7.5.2).
    if (address) found.push(toAddress((name ?? "").slice(0, MAX_SHOWN_CHARS), address));
  }
  return found;
};

/** Placeholders that Dovecot puts into incomplete addresses. */
const MISSING = /^MISSING_MAILBOX@|@MISSING_DOMAIN$/;

const toAddress = (name: string, address: string): Address => {
  if (!MISSING.test(address)) return { name, address };
  const local = address.slice(0, address.lastIndexOf("@"));
  return { name, address: local === "MISSING_MAILBOX" ? "" : local };
};

/** Returns the labels to show. Gmail's labels are already decoded; its system labels begin with a backslash. */
const shownLabels = (labels: ReadonlySet<string>): ReadonlyArray<string> =>
  [...labels].filter((label) => !label.startsWith("\\")).sort();
