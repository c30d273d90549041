import type { MessageAuthor, OutgoingMessage } from "./OutgoingMessage.ts";
import { waitForNone } from "./server-outage.ts";
import { changeRecipients, hasRecipient, holdEndsAt } from "./outgoing-state.ts";

/** Returns the message held from `now` on: it is sent to no further recipient until it is released. */
export const hold = (message: OutgoingMessage, now: number): OutgoingMessage =>
  message.heldSince !== undefined || message.attemptAt === null || !hasRecipient(message, "queued")
    ? message
    : { ...waitForNone(message), heldSince: now };

/** Cancels a message for the recipients that it was not sent to. */
export const withdraw = (message: OutgoingMessage): OutgoingMessage => {
  if (!hasRecipient(message, "queued")) return message;
  const { heldSince: _, ...rest } = changeRecipients(waitForNone(message), "queued", (recipient) => ({
    ...recipient,
    state: "cancelled",
  }));
  return { ...rest, attemptAt: null, paused: null };
};

/** Cancels a held message whose hold is over; returns any other unchanged. */
export const lapse = (message: OutgoingMessage, now: number): OutgoingMessage =>
  (holdEndsAt(message) ?? Infinity) <= now ? withdraw(message) : message;

/** Returns a held message released at `now`, as the message of this key, or of a person where there is none. */
export const unhold = (message: OutgoingMessage, author: MessageAuthor | null, now: number): OutgoingMessage => {
  const { heldSince: _, author: __, ...rest } = message;
  const attemptAt = message.attemptAt === null ? null : Math.max(message.attemptAt, now);
  const heldMillis = (message.heldMillis ?? 0) + now - (message.heldSince ?? now);
  return { ...rest, attemptAt, heldMillis, ...(author === null ? {} : { author }) };
};

/** Whether the key of a request may release a message: one of the application that asked for it, or no key. */
export const mayRelease = ({ author }: OutgoingMessage, by: MessageAuthor | null): boolean =>
  by === null || by.application === author?.application;
