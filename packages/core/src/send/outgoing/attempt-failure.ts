import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type { OutgoingMessage, SmtpReply } from "./OutgoingMessage.ts";

/** Returns a reply as one line of text. */
export const replyText = ({ code, enhanced, text }: SmtpReply): string =>
  [code, enhanced, text].filter((part) => part !== null && part !== "").join(" ");

/** Returns the enhanced status of a reply (RFC 3463), or the class of its code if the server gave none. */
export const replyStatus = ({ code, enhanced }: SmtpReply): string => enhanced ?? `${Math.floor(code / 100)}.0.0`;

/** Enhanced statuses of a message that is too large for a mailbox or system (RFC 3463, 3.3 and 3.4). */
const TOO_LARGE = new Set(["5.2.3", "5.3.4"]);

/** The failures that pause the ladder of a message. */
export const PAUSES = {
  AuthRefused: { reason: "smtp_auth_failed", detail: "the SMTP server refuses the account's password or token" },
  AccountPaused: { reason: "account_paused", detail: "the account is paused" },
} as const;

/** Returns the failure to record for an outcome; null if the message was accepted or is held. */
export const failureOf = (outcome: AttemptOutcome): OutgoingMessage["failure"] => {
  switch (outcome._tag) {
    case "Answered":
      return outcome.reply.code < 400 ? null : { reason: "message_refused", detail: replyText(outcome.reply) };
    case "MessageRefused":
      return { reason: "message_refused", detail: replyText(outcome.reply) };
    case "SenderRefused":
      return TOO_LARGE.has(outcome.reply.enhanced ?? "")
        ? {
            reason: "message_too_large",
            detail: `the server refused the size of the message: ${replyText(outcome.reply)}`,
          }
        : { reason: "sender_refused", detail: replyText(outcome.reply) };
    case "RecipientsRefused":
      return { reason: "recipient_refused", detail: "the server refused every recipient" };
    case "TooLarge":
      return {
        reason: "message_too_large",
        detail: `the server accepts at most ${outcome.limit} bytes of encoded message`,
      };
    case "AuthRefused":
    case "AccountPaused":
      return PAUSES[outcome._tag];
    case "KeyDeleted":
      return null;
    case "NotSent":
    case "Unknown":
      return { reason: outcome.reason, detail: outcome.detail };
  }
};
