import { Duration } from "effect";
import type { OutgoingMessage, OutgoingRecipient, OutgoingState, RecipientState } from "./OutgoingMessage.ts";

/** How often a paused message is checked. */
export const PAUSE_CHECK = Duration.minutes(5);
/** How long a held message waits to be released. */
export const HOLD_LIFETIME = Duration.days(30);
/** How long a message stays paused at most. */
export const MAX_PAUSE = Duration.days(1);

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

/** Returns when the message is next due, for an attempt, for the copy in Sent or for the end of its hold; null if it is finished. */
export const dueAt = (message: OutgoingMessage): number | null => {
  const [attempt, copy] = [nextAttemptAt(message) ?? holdEndsAt(message), message.copy.at];
  return attempt === null || copy === null ? (attempt ?? copy) : Math.min(attempt, copy);
};

/** Returns when the next attempt is due; null if none is. */
export const nextAttemptAt = ({ attemptAt, heldSince }: OutgoingMessage): number | null =>
  heldSince === undefined ? attemptAt : null;

/** Returns when a held message is cancelled; null if it is not held. */
export const holdEndsAt = ({ heldSince }: OutgoingMessage): number | null =>
  heldSince === undefined ? null : heldSince + Duration.toMillis(HOLD_LIFETIME);

/** Whether neither an attempt nor a copy is due. */
export const isFinished = (message: OutgoingMessage): boolean => dueAt(message) === null;

/** The recipients of the next attempt. */
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
