import { FOREIGN_STATUS_PHRASES } from "./phrases/foreign-status-phrases.ts";
import { MAILBOX_PHRASES } from "./phrases/mailbox-phrases.ts";
import { POLICY_STATUS_PHRASES } from "./phrases/policy-phrases.ts";
import { RECIPIENT_PHRASES } from "./phrases/recipient-phrases.ts";
import { TRANSPORT_PHRASES } from "./phrases/transport-phrases.ts";
import { foldText } from "./text-folding.ts";

const CAUSES = [...MAILBOX_PHRASES, ...RECIPIENT_PHRASES, ...TRANSPORT_PHRASES, ...FOREIGN_STATUS_PHRASES];

/** All rows that map words to a status, specific ones before vague ones. */
export const STATUS_PHRASES = [...CAUSES, ...POLICY_STATUS_PHRASES];

const MAX_TEXT_CHARS = 4_000;

/** An enhanced status code; does not match parts of IP addresses, versions and longer numbers. */
const ENHANCED = /(?<![\d.:\p{L}])([245])\.(\d{1,3})\.(\d{1,3})(?![\d]|\.\d)/gu;
const VERSION = /(version|v|ver\.?|postfix|sendmail|exim|smtpd?|server|release|mta)[ /(-]{0,2}$/i;

/** Returns the most precise enhanced code in a text; of equally precise codes, the first. */
export const enhancedStatusIn = (text: string): string | null => {
  let best: string | null = null;
  let seen = 0;
  for (const found of text.slice(0, MAX_TEXT_CHARS).matchAll(ENHANCED)) {
    if (++seen > 20) break;
    if (found[1] === "2" || VERSION.test(text.slice(Math.max(0, found.index - 12), found.index))) continue;
    const status = `${found[1]}.${Number(found[2])}.${Number(found[3])}`;
    if (best === null || precision(status) > precision(best)) best = status;
  }
  return best;
};

const precision = (status: string): number => {
  const [, subject, detail] = status.split(".");
  return (subject === "0" ? 0 : 1) + (detail === "0" ? 0 : 2);
};

/** Returns whether a status names a cause and not only a class. */
export const isSpecific = (status: string): boolean => precision(status) > 0;

/** Returns the enhanced code of a Status field: `5.1.1`, `5.0.0 (undefined status)`, `5`, `550`, `5.1` (RFC 3464, 2.3.4, and shorter forms). */
export const statusOf = (field: string): string | null => {
  const found = /(?<![\d.])([2-5])\.(\d{1,3})(?:\.(\d{1,3}))?(?![\d])/.exec(field.slice(0, 200));
  if (found !== null) return `${found[1]}.${Number(found[2])}.${Number(found[3] ?? "0")}`;
  const digit = /^\D{0,5}([245])(?:\d\d)?(?!\d)/.exec(field);
  return digit === null ? null : `${digit[1]}.0.0`;
};

const REPLY =
  /(?<![\d.:[\-/=])([45][0-5][0-9]|[45]71)(?=[ \-:;#,)\]<]|$)(?! (?:bytes|byte|kb|hours|days|messages|seconds))/gm;

/** Returns the first SMTP reply code in a text. */
export const replyCodeIn = (text: string): number | null => {
  for (const found of text.slice(0, MAX_TEXT_CHARS).matchAll(REPLY)) {
    const code = Number(found[1]);
    if (KNOWN_REPLIES.has(code)) return code;
  }
  return null;
};

/** Returns whether a text quotes a permanent refusal: a reply 5xx or an enhanced status 5.x.y. */
export const quotesRefusal = (text: string): boolean =>
  (replyCodeIn(text) ?? 0) >= 500 || enhancedStatusIn(text)?.startsWith("5") === true;

/**
 * The status for each reply code that comes without an enhanced code (RFC 5321, 4.2.3). 550 and 554 only say that the
 * refusal is permanent.
 */
const STATUS_OF_REPLY: Readonly<Record<number, string>> = {
  421: "4.3.2",
  450: "4.2.0",
  451: "4.3.0",
  452: "4.3.1",
  500: "5.5.2",
  501: "5.5.4",
  502: "5.5.1",
  503: "5.5.1",
  504: "5.5.4",
  521: "5.3.2",
  523: "5.3.4",
  530: "5.7.0",
  535: "5.7.8",
  541: "5.7.1",
  551: "5.1.6",
  552: "5.2.2",
  553: "5.1.3",
  556: "5.1.10",
  571: "5.7.1",
};
const KNOWN_REPLIES = new Set([
  ...Object.keys(STATUS_OF_REPLY).map(Number),
  422,
  431,
  432,
  441,
  442,
  446,
  447,
  449,
  454,
  455,
  471,
  505,
  510,
  511,
  512,
  515,
  517,
  522,
  524,
  525,
  533,
  534,
  540,
  542,
  543,
  545,
  546,
  547,
  550,
  554,
  555,
]);

/** The status of an expired message. A delayed message has not expired. */
const EXPIRED = "4.4.7";

/** Returns the status of the first row that matches the text. With `waits`, skips the status of expired messages. */
export const statusByWords = (text: string, waits = false): string | null => {
  const folded = foldText(text.slice(0, MAX_TEXT_CHARS));
  return (
    STATUS_PHRASES.find(({ status, pattern }) => !(waits && status === EXPIRED) && pattern.test(folded))?.status ?? null
  );
};

/** Does the same as {@link statusByWords}, but only with rows that name a cause, because ordinary letters contain vague refusals too. */
export const causeInWords = (text: string): string | null => {
  const folded = foldText(text.slice(0, MAX_TEXT_CHARS));
  return CAUSES.find(({ pattern }) => pattern.test(folded))?.status ?? null;
};

const withClass = (status: string, letter: string): string => `${letter}${status.slice(1)}`;

/**
 * Returns the enhanced status of a diagnostic or notice. The enhanced code in the text comes first, then the status for
 * its words (with the class of its reply code), then the status for the reply code.
 */
export const statusFrom = (text: string, waits = false): string | null => {
  const enhanced = enhancedStatusIn(text);
  if (enhanced !== null && isSpecific(enhanced)) return enhanced;
  const code = replyCodeIn(text);
  const letter = enhanced?.[0] ?? (code === null ? null : String(code)[0]!);
  const words = statusByWords(text, waits);
  if (words !== null) return letter === null ? words : withClass(words, letter);
  if (enhanced !== null) return enhanced;
  return code === null ? null : (STATUS_OF_REPLY[code] ?? `${letter}.0.0`);
};
