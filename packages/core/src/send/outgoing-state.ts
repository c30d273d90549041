import { Duration } from "effect";
import type { OutgoingMessage, OutgoingRecipient, OutgoingState, RecipientState } from "./OutgoingMessage.ts";

/** How often a message that waits for a new sign-in is looked at, and how long it waits at most. */
export const PAUSE_LOOK = Duration.minutes(5);
export const LONGEST_PAUSE = Duration.days(1);

/** What is derived from the recipients (spec 6); `leased` while some process works on the message. */
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

/** When somebody has to look at the message again: for an attempt, or for the copy in Sent. */
export const dueAt = ({ attemptAt, copy }: OutgoingMessage): number | null =>
  attemptAt === null || copy.at === null ? (attemptAt ?? copy.at) : Math.min(attemptAt, copy.at);

/** Whether nothing is left to do. */
export const isFinished = (message: OutgoingMessage): boolean => dueAt(message) === null;

/** Those an attempt is for. */
export const waitingRecipients = ({ recipients }: OutgoingMessage): ReadonlyArray<string> =>
  recipients.filter(({ state }) => state === "queued").map(({ address }) => address);

export const hasRecipient = ({ recipients }: OutgoingMessage, state: RecipientState): boolean =>
  recipients.some((recipient) => recipient.state === state);

/** The same message with recipients in one state changed. */
export const changeRecipients = (
  message: OutgoingMessage,
  state: RecipientState,
  change: (recipient: OutgoingRecipient) => OutgoingRecipient,
): OutgoingMessage => ({
  ...message,
  recipients: message.recipients.map((recipient) => (recipient.state === state ? change(recipient) : recipient)),
});
