import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type { OutgoingMessage, SmtpReply } from "./OutgoingMessage.ts";

/** A reply on one line, as people read it. */
export const replyText = ({ code, enhanced, text }: SmtpReply): string =>
  [code, enhanced, text].filter((part) => part !== null && part !== "").join(" ");

/** The status of a reply as delivery reports have it (RFC 3463): the server's own, or the class of its code. */
export const replyStatus = ({ code, enhanced }: SmtpReply): string => enhanced ?? `${Math.floor(code / 100)}.0.0`;

/** Enhanced statuses of a message too large for a mailbox or a system (RFC 3463, 3.3 and 3.4). */
const TOO_LARGE = new Set(["5.2.3", "5.3.4"]);

/** What an attempt that ended so is remembered by; null where the message was taken. */
export const failureOf = (outcome: AttemptOutcome): OutgoingMessage["failure"] => {
  switch (outcome._tag) {
    case "Answered":
      return outcome.reply.code < 400 ? null : { reason: "message_refused", detail: replyText(outcome.reply) };
    case "MessageRefused":
      return { reason: "message_refused", detail: replyText(outcome.reply) };
    case "SenderRefused":
      return TOO_LARGE.has(outcome.reply.enhanced ?? "")
        ? { reason: "message_too_large", detail: `less than this one has: ${replyText(outcome.reply)}` }
        : { reason: "sender_refused", detail: replyText(outcome.reply) };
    case "RecipientsRefused":
      return { reason: "recipient_refused", detail: "the server refused every recipient" };
    case "TooLarge":
      return { reason: "message_too_large", detail: `${outcome.limit} bytes of encoded message` };
    case "AuthRefused":
      return { reason: "smtp_auth_failed", detail: "the server refused the password" };
    case "NotSent":
    case "Unknown":
      return { reason: outcome.reason, detail: outcome.detail };
  }
};
