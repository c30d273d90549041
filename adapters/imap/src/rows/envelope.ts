import type { MessageAddressObject, MessageEnvelopeObject } from "imapflow";
import { decodeWords, unquoted } from "./decode-words.ts";
import { type List, unreadable, type Value } from "./ResponseText.ts";

/** What a listing shows of an ENVELOPE (RFC 9051, 7.5.2), as imapflow reads it. */
export const readEnvelope = (fields: List): MessageEnvelopeObject => ({
  date: dateOf(text(fields[0]))!,
  subject: decodeWords(text(fields[1])),
  from: addresses(fields[2]),
  to: addresses(fields[5]),
  cc: addresses(fields[6]),
  messageId: text(fields[9]).trim(),
});

/** A date as JavaScript reads it; none where it cannot. */
export const dateOf = (written: string): Date | undefined => {
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** A string, none being an empty one. */
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
    // Without a host it is where a group begins or ends (RFC 9051, 7.5.2).
    if (domain !== "") read.push({ name: unquoted(decodeWords(text(name))), address: `${local}@${domain}` });
  }
  return read;
};
