import { Duration } from "effect";
import type { OutgoingMessage, OutgoingRecipient, OutgoingState, RecipientState } from "./OutgoingMessage.ts";

/** How often a paused message is checked. */
export const PAUSE_CHECK = Duration.minutes(5);
/** How long a message stays paused at most. */
export const LONGEST_PAUSE = Duration.days(1);

/** Returns the state derived from the recipients (spec 6); `leased` if a process works on the message. */
export const stateOf = (message: OutgoingMessage, leased: boolean): OutgoingState => {
  const states = new Set(message.recipients.map(({ state }) => state));
  if (states.has("unknown")) return "unknown";
  if (states.has("sent")) return "sent";
  if (states.has("dot")) return "sending";
  if (states.has("queued")) {
    if (leased) return "sending";
    return message.scheduledFor !== null && message.attemptAt === message.scheduledFor ? "scheduled" : "queued";
  }
  return states.has("cancelled") ? "cancelled" : "failed";
};

/** Returns when the message is next due, for an attempt or for the copy in Sent; null if it is finished. */
export const dueAt = ({ attemptAt, copy }: OutgoingMessage): number | null =>
  attemptAt === null || copy.at === null ? (attemptAt ?? copy.at) : Math.min(attemptAt, copy.at);

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
