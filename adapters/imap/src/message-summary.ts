import type { Address, MessageSummary } from "@postern/core/mail";
import type { FetchMessageObject, FetchQueryObject, MessageAddressObject } from "imapflow";
import { attachmentsOf } from "./attachments.ts";

/** What is fetched of a message for a listing. */
export const SUMMARY: FetchQueryObject = {
  uid: true,
  flags: true,
  envelope: true,
  bodyStructure: true,
  internalDate: true,
  size: true,
  threadId: true,
};

/**
 * What a listing shows of a fetched message; none for a row that is no answer: flags sent unasked, without the rest, and
 * what Dovecot answers for a message expunged meanwhile, empty and of size 0.
 */
export const messageSummary = (row: FetchMessageObject): MessageSummary | undefined => {
  if (!row.uid || !row.size) return undefined;
  const { envelope, flags } = row;
  return {
    uid: row.uid,
    messageId: envelope?.messageId || null,
    threadId: row.threadId ?? null,
    subject: envelope?.subject ?? "",
    from: addresses(envelope?.from)[0] ?? null,
    to: addresses(envelope?.to),
    cc: addresses(envelope?.cc),
    arrivedAt: time(row.internalDate) ?? 0,
    sentAt: time(envelope?.date),
    unread: flags?.has("\\Seen") !== true,
    flagged: flags?.has("\\Flagged") === true,
    answered: flags?.has("\\Answered") === true,
    draft: flags?.has("\\Draft") === true,
    size: row.size,
    attachments: attachmentsOf(row.bodyStructure),
  };
};

/** imapflow leaves a date it cannot read as text. */
const time = (date: Date | string | undefined): number | null => {
  const at = date instanceof Date ? date.getTime() : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

const addresses = (listed: ReadonlyArray<MessageAddressObject> | undefined): ReadonlyArray<Address> =>
  // A group's own entry has no address (RFC 9051, 7.5.2).
  listed === undefined
    ? NO_ADDRESSES
    : listed.flatMap(({ name, address }) => (address ? toAddress(name ?? "", address) : NO_ADDRESSES));

const NO_ADDRESSES: ReadonlyArray<Address> = [];

/** Dovecot fills the parts an address lacks with these. */
const MISSING = /^MISSING_MAILBOX@|@MISSING_DOMAIN$/;

const toAddress = (name: string, address: string): Address => {
  if (!MISSING.test(address)) return { name, address };
  const local = address.slice(0, address.lastIndexOf("@"));
  return { name, address: local === "MISSING_MAILBOX" ? "" : local };
};
