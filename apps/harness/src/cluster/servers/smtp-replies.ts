import type { AttemptOutcome, SmtpReply } from "@postern/core/send";

export const ACCEPTED: SmtpReply = { code: 250, enhanced: "2.1.5", text: "accepted" };
export const GREYLISTED: SmtpReply = { code: 451, enhanced: "4.3.0", text: "later" };
export const SPAM: SmtpReply = { code: 554, enhanced: "5.7.1", text: "spam" };
const NO_SUCH_USER: SmtpReply = { code: 550, enhanced: "5.1.1", text: "no such user" };
const NO_SUCH_SENDER: SmtpReply = { code: 550, enhanced: "5.7.1", text: "not your address" };
const TOO_LARGE: SmtpReply = { code: 552, enhanced: "5.3.4", text: "too large" };
/** The SIZE of a server that refuses messages because of it. */
export const SIZE = 10_000_000;

/**
 * Returns the reply to RCPT. A recipient that begins with `later` is refused for two attempts, `slow-then-later` for
 * the second, and `never` for all.
 */
export const replyTo = (recipient: string, attempt: number): SmtpReply => {
  if (recipient.startsWith("refused")) return NO_SUCH_USER;
  if (recipient.startsWith("never")) return GREYLISTED;
  if (recipient.startsWith("slow-then-later") && attempt === 2) return GREYLISTED;
  return recipient.startsWith("later") && attempt <= 2 ? GREYLISTED : ACCEPTED;
};

/**
 * Returns how an attempt ends before RCPT, by the beginning of a recipient's name: the host has no room for a first
 * connection (`limited`), the message exceeds SIZE (`size`), or MAIL is refused: for good (`mail-refused`, `mail-large`),
 * once (`mail-later`) or always for now (`mail-never`).
 */
export const endBeforeRcpt = (has: (kind: string) => boolean, attempt: number): AttemptOutcome | null => {
  if (has("limited") && attempt === 1) return { _tag: "HostLimited" };
  if (has("size")) return { _tag: "TooLarge", limit: SIZE };
  if (has("mail-refused")) return { _tag: "SenderRefused", reply: NO_SUCH_SENDER };
  if (has("mail-large")) return { _tag: "SenderRefused", reply: TOO_LARGE };
  if (has("mail-never") || (has("mail-later") && attempt === 1)) return { _tag: "SenderRefused", reply: GREYLISTED };
  return null;
};

/** Returns the refusal of DATA: for good (`data-refused`), or once for now (`data-later`). */
export const endAtData = (has: (kind: string) => boolean, attempt: number): AttemptOutcome | null => {
  if (has("data-refused")) return { _tag: "MessageRefused", reply: SPAM };
  return has("data-later") && attempt === 1 ? { _tag: "MessageRefused", reply: GREYLISTED } : null;
};
