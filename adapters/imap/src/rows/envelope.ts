import { MAX_ADDRESSES } from "@postern/core/mail";
import type { MessageAddressObject, MessageEnvelopeObject } from "imapflow";
import { decodeWords, unquote } from "./decode-words.ts";
import { type ResponseText, unreadable, type Value } from "./ResponseText.ts";

/** An envelope in which each field has only its first addresses. */
export interface ListedEnvelope extends MessageEnvelopeObject {
  /** The numbers of further addresses in the fields To and Cc. */
  readonly others?: { readonly to: number; readonly cc: number };
}

/**
 * Reads the fields of an ENVELOPE (RFC 9051, 7.5.2) that a listing shows, with the same results as imapflow; undefined
 * for NIL.
 */
export const readEnvelope = (answer: ResponseText): ListedEnvelope | undefined => {
  if (!answer.begins()) return answer.value() === null ? undefined : unreadable();
  const date = dateOf(answer.text())!;
  const subject = decodeWords(answer.text());
  const from = readAddresses(answer);
  // Sender and Reply-To.
  answer.skip();
  answer.skip();
  const [to, cc] = [readAddresses(answer), readAddresses(answer)];
  // Bcc.
  answer.skip();
  const [inReplyTo, messageId] = [answer.text(), answer.text().trim()];
  while (!answer.ends()) answer.skip();
  const read = { date, subject, from: from.first, to: to.first, cc: cc.first, inReplyTo, messageId };
  return to.others + cc.others === 0 ? read : { ...read, others: { to: to.others, cc: cc.others } };
};

/** Parses a date with JavaScript's rules; undefined if it cannot be parsed. */
export const dateOf = (written: string): Date | undefined => {
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Returns a string; NIL and a missing value become the empty string. */
export const text = (value: Value | undefined): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : unreadable();

/** Reads the first addresses of a field, and counts the others. */
const readAddresses = (answer: ResponseText) => {
  const first: Array<MessageAddressObject> = [];
  if (!answer.begins()) return answer.text() === "" ? { first, others: 0 } : unreadable();
  let count = 0;
  for (; !answer.ends(); count++) {
    if (count >= MAX_ADDRESSES) answer.skip();
    else if (answer.begins()) {
      const name = answer.text();
      // The route.
      answer.skip();
      const [local, domain] = [answer.text(), answer.text()];
      while (!answer.ends()) answer.skip();
      // An entry without a host begins or ends a group (RFC 9051, 7.5.2).
      if (domain !== "") first.push({ name: unquote(decodeWords(name)), address: `${local}@${domain}` });
    } else if (answer.value() !== null) unreadable();
  }
  return { first, others: Math.max(0, count - MAX_ADDRESSES) };
};
