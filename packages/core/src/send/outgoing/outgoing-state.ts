import { Duration } from "effect";
import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type {
  Asked,
  OutgoingMessage,
  OutgoingRecipient,
  OutgoingState,
  RecipientState,
  SmtpReply,
} from "./OutgoingMessage.ts";

/** The interval at which a paused message is checked. */
export const PAUSE_CHECK = Duration.minutes(5);
/** How long a held message waits to be released. */
export const HOLD_LIFETIME = Duration.days(30);
/** The maximum time that a message stays paused. */
export const MAX_PAUSE = Duration.days(1);

/** Returns the Message-ID of an outgoing message, with angle brackets and the domain of `address`. */
export const messageIdOf = (id: string, address: string): string =>
  `<${id}@${address.slice(address.lastIndexOf("@") + 1)}>`;

/** Returns the id of the outgoing message that has this Message-ID from `messageIdOf`. */
export const outboxIdOf = (messageId: string): string => messageId.slice(1, messageId.lastIndexOf("@"));

/** Returns the state derived from the recipients (spec 6); `leased` if a process works on the message. */
export const stateOf = (message: OutgoingMessage, leased: boolean): OutgoingState => {
  const states = new Set(message.recipients.map(({ state }) => state));
  if (states.has("unknown")) return "unknown";
  if (states.has("sent")) return "sent";
  if (states.has("dot")) return "sending";
  if (states.has("queued")) {
    if (leased) return "sending";
    if (message.heldSince !== undefined) return "held";
    return message.scheduledFor !== null && message.attemptAt === message.scheduledFor ? "scheduled" : "queued";
  }
  return states.has("cancelled") ? "cancelled" : "failed";
};

/** Returns the time of the message's next attempt, of its copy in Sent or of the end of its hold; null if it is finished. */
export const dueAt = (message: OutgoingMessage): number | null => {
  const [attempt, copy] = [nextAttemptAt(message) ?? holdEndsAt(message), message.copy.at];
  return attempt === null || copy === null ? (attempt ?? copy) : Math.min(attempt, copy);
};

/** Returns the time of the next attempt; null if there is none. */
export const nextAttemptAt = ({ attemptAt, heldSince }: OutgoingMessage): number | null =>
  heldSince === undefined ? attemptAt : null;

/** Returns the message with its next attempt no later than this time; unchanged if it has no next attempt. */
export const hastenAttempt = (message: OutgoingMessage, at: number): OutgoingMessage =>
  message.attemptAt === null || message.attemptAt <= at ? message : { ...message, attemptAt: at };

/** Returns the time at which a held message is cancelled; null if the message is not held. */
export const holdEndsAt = ({ heldSince }: OutgoingMessage): number | null =>
  heldSince === undefined ? null : heldSince + Duration.toMillis(HOLD_LIFETIME);

/** Returns whether neither an attempt nor a copy is due. */
export const isFinished = (message: OutgoingMessage): boolean => dueAt(message) === null;

/** Returns the recipients of the next attempt. */
export const waitingRecipients = ({ recipients }: OutgoingMessage): ReadonlyArray<string> =>
  recipients.filter(({ state }) => state === "queued").map(({ address }) => address);

export const hasRecipient = ({ recipients }: OutgoingMessage, state: RecipientState): boolean =>
  recipients.some((recipient) => recipient.state === state);

/** Returns the message with all recipients in one state changed. */
export const changeRecipients = (
  message: OutgoingMessage,
  state: RecipientState,
  change: (recipient: OutgoingRecipient) => OutgoingRecipient,
): OutgoingMessage => ({
  ...message,
  recipients: message.recipients.map((recipient) => (recipient.state === state ? change(recipient) : recipient)),
});

/** Returns the orders of the operator that stay pending on a message, until it is claimed next. */
export const ordersFor = ({ attemptAt, heldBy }: OutgoingMessage): ReadonlyArray<Asked> => {
  if (attemptAt === null) return [];
  return ["cancel", heldBy === "operator" ? "release" : "hold"];
};

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
    case "Withheld":
      return null;
    case "HostLimited":
      return { reason: "busy", detail: "too many new connections to the host (MAIL_HOST_CONNECTIONS)" };
    case "NotSent":
    case "Unknown":
      return { reason: outcome.reason, detail: outcome.detail };
  }
};
