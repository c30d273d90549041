import { DateTime } from "effect";
import { type Address, addressKey, type HeaderField, type MessageSummary } from "../../mail/index.ts";
import { headersOf } from "../../mail/neighbours.ts";
import { parseMailboxes } from "../addresses.ts";

/** The number of characters of the original message that an answer quotes. */
const MAX_QUOTED_CHARS = 100_000;

/** Returns the subject of an answer. */
export const replySubject = (subject: string): string => addPrefix("Re: ", /^re\s*:/i, subject);

/** Returns the subject of a forward. */
export const forwardSubject = (subject: string): string => addPrefix("Fwd: ", /^(fwd?|wg|tr)\s*:/i, subject);

const addPrefix = (prefix: string, present: RegExp, subject: string): string => {
  const plain = subject.replaceAll(/\p{Cc}+/gu, " ").trim();
  return present.test(plain) ? plain : `${prefix}${plain}`;
};

/**
 * Returns the recipients of an answer: the addresses in Reply-To, or else the author; for a message that the account
 * sent, its recipients (RFC 5322, 3.6.3).
 */
export const replyRecipients = (
  own: string,
  summary: MessageSummary,
  headers: ReadonlyArray<HeaderField>,
): ReadonlyArray<Address> => {
  if (summary.from !== null && addressKey(summary.from.address) === addressKey(own)) return summary.to;
  const named = parseMailboxes(headersOf(headers, "Reply-To").join(", "));
  if (named._tag === "Success" && named.success.length > 0) return named.success;
  return summary.from === null ? [] : [summary.from];
};

/** Returns the text of an answer: empty lines to write in, then the original with `> ` before each line. */
export const answerText = (summary: MessageSummary, text: string): string => {
  const author = summary.from === null ? "someone" : addressText(summary.from);
  const quoted = boundText(text)
    .split("\n")
    .map((line) => (line === "" || line.startsWith(">") ? `>${line}` : `> ${line}`));
  return ["", "", `On ${timeOf(summary)}, ${author} wrote:`, ...quoted, ""].join("\n");
};

/** Returns the text of a forward: empty lines to write in, then the original under its header. */
export const forwardText = (summary: MessageSummary, text: string): string =>
  [
    "",
    "",
    "---------- Forwarded message ----------",
    ...(summary.from === null ? [] : [`From: ${addressText(summary.from)}`]),
    `Date: ${timeOf(summary)}`,
    `Subject: ${summary.subject}`,
    ...(summary.to.length === 0 ? [] : [`To: ${summary.to.map(addressText).join(", ")}${writeOthers(summary)}`]),
    "",
    boundText(text),
    "",
  ].join("\n");

const writeOthers = ({ to, toCount }: MessageSummary): string =>
  toCount > to.length ? ` and ${toCount - to.length} others` : "";

const boundText = (text: string): string => text.replaceAll(/\r\n?/g, "\n").trimEnd().slice(0, MAX_QUOTED_CHARS);

const addressText = ({ name, address }: Address): string => (name === "" ? address : `${name} <${address}>`);

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const timeOf = ({ sentAt, arrivedAt }: MessageSummary): string => {
  const { year, month, day, hour, minute } = DateTime.toPartsUtc(DateTime.makeUnsafe(sentAt ?? arrivedAt));
  const twoDigits = (n: number) => String(n).padStart(2, "0");
  return `${day} ${MONTHS[month - 1]} ${year} at ${twoDigits(hour)}:${twoDigits(minute)} UTC`;
};
