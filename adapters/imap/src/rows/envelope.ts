import type { MessageAddressObject, MessageEnvelopeObject } from "imapflow";
import { decodeWords, unquote } from "./decode-words.ts";
import { type List, unreadable, type Value } from "./ResponseText.ts";

/** An envelope in which each field has only its first addresses. */
export interface ListedEnvelope extends MessageEnvelopeObject {
  /** How many further addresses the fields To and Cc have. */
  readonly others?: { readonly to: number; readonly cc: number };
}

/**
 * Reads the fields of an ENVELOPE (RFC 9051, 7.5.2) that a listing shows, with the same results as imapflow. `omitted`
 * tells how many addresses of a field were skipped.
 */
export const readEnvelope = (fields: List, omitted: (field: Value | undefined) => number): ListedEnvelope => ({
  date: dateOf(text(fields[0]))!,
  subject: decodeWords(text(fields[1])),
  from: addresses(fields[2]),
  to: addresses(fields[5]),
  cc: addresses(fields[6]),
  ...(omitted(fields[5]) + omitted(fields[6]) === 0
    ? {}
    : { others: { to: omitted(fields[5]), cc: omitted(fields[6]) } }),
  inReplyTo: text(fields[8]),
  messageId: text(fields[9]).trim(),
});

/** Parses a date with JavaScript's rules; undefined if it cannot be parsed. */
export const dateOf = (written: string): Date | undefined => {
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Returns a string; NIL and a missing value become the empty string. */
export const text = (value: Value | undefined): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : unreadable();

const addresses = (value: Value | undefined): Array<MessageAddressObject> => {
  if (value === null || value === undefined) return [];
  if (typeof value === "string") return unreadable();
  const read: Array<MessageAddressObject> = [];
  for (const address of value) {
    if (typeof address === "string") return unreadable();
    if (address === null) continue;
    const [name, , mailbox, host] = address;
    const [local, domain] = [text(mailbox), text(host)];
    // An entry without a host begins or ends a group (RFC 9051, 7.5.2).
    if (domain !== "") read.push({ name: unquote(decodeWords(text(name))), address: `${local}@${domain}` });
  }
  return read;
};
