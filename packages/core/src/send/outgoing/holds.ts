import type { Asked, Holder, MessageAuthor, OutgoingMessage } from "./OutgoingMessage.ts";
import { changeRecipients, hasRecipient, holdEndsAt, stateOf } from "./outgoing-state.ts";
import { waitForNone } from "./ServerOutages.ts";

/** Returns whether a message waits for its next attempt. A message whose attempt ended at the dot must be due until a worker reaps it. */
const isWaiting = (message: OutgoingMessage): boolean =>
  hasRecipient(message, "queued") && !hasRecipient(message, "dot");

/** Holds a message from `now` on. Until it is released, it is sent to no further recipient. */
export const hold = (message: OutgoingMessage, now: number, by?: Holder): OutgoingMessage => {
  if (message.attemptAt === null || !isWaiting(message)) return message;
  const held = by === undefined ? {} : { heldBy: by };
  if (message.heldSince === undefined) return { ...waitForNone(message), heldSince: now, ...held };
  return by === "operator" && message.heldBy !== by ? { ...message, ...held } : message;
};

/** Applies a change that the operator requested while a process worked on the message, and cancels a message whose hold has expired. */
export const carryOut = (claimed: OutgoingMessage, now: number): OutgoingMessage =>
  (holdEndsAt(claimed) ?? Infinity) <= now ? withdraw(claimed) : obey(claimed, now);

/** Returns a message after its pending order, without the order. */
export const obey = (message: OutgoingMessage, now: number): OutgoingMessage => {
  if (message.asked === undefined) return message;
  const { asked, ...rest } = message;
  return OPERATOR_CHANGES[asked](rest, now);
};

/** Cancels a message for the recipients to whom it was not sent. */
export const withdraw = (message: OutgoingMessage): OutgoingMessage => {
  if (!isWaiting(message)) return message;
  const {
    heldSince: _,
    heldBy: __,
    ...rest
  } = changeRecipients(waitForNone(message), "queued", (recipient) => ({
    ...recipient,
    state: "cancelled",
  }));
  return { ...rest, attemptAt: null, paused: null };
};

/** Cancels a message that was sent to no recipient yet; returns any other message unchanged. */
export const cancel = (message: OutgoingMessage): OutgoingMessage => {
  const state = stateOf(message, false);
  return state === "queued" || state === "scheduled" || state === "held" ? withdraw(message) : message;
};

/**
 * Returns a waiting message without its service key, so that the message outlives the key. It also outlives the suspension of the
 * key's application, because the message no longer belongs to an application that can be resumed.
 */
export const disown = (message: OutgoingMessage, now: number): OutgoingMessage => {
  if (message.author === undefined || !hasRecipient(message, "queued")) return message;
  if (message.heldBy === "suspension") return unhold(message, null, now);
  const { author: _, ...rest } = message;
  return rest;
};

/**
 * Holds a message of an application that is deleted. The deletion ends the suspension of the application, so the message is then held
 * because its key was deleted, and can be released.
 */
export const holdForDeletedApplication = (message: OutgoingMessage, now: number): OutgoingMessage => {
  if (message.heldBy !== "suspension") return hold(message, now);
  const { heldBy: _, ...rest } = message;
  return rest;
};

/** Releases a held message at `now`. The message then belongs to this key, or to a person if no key is given. */
export const unhold = (message: OutgoingMessage, author: MessageAuthor | null, now: number): OutgoingMessage => {
  const { heldSince = now, heldBy: _, author: __, ...rest } = message;
  const attemptAt = message.attemptAt === null ? null : Math.max(message.attemptAt, now);
  const held = now - heldSince;
  const paused = message.paused === null ? null : { ...message.paused, since: message.paused.since + held };
  const heldMillis = (message.heldMillis ?? 0) + held;
  return { ...rest, attemptAt, paused, heldMillis, ...(author === null ? {} : { author }) };
};

/** The changes that an operator may request, at once or as a pending order. */
export const OPERATOR_CHANGES: Readonly<Record<Asked, (message: OutgoingMessage, now: number) => OutgoingMessage>> = {
  hold: (message, now) => hold(message, now, "operator"),
  release: (message, now) => releaseOf(message, "operator", now),
  cancel: (message) => withdraw(message),
};

/** Releases a message if `by` holds it. A message whose key was deleted is released without a key. */
export const releaseOf = (message: OutgoingMessage, by: Holder, now: number): OutgoingMessage => {
  const isTheirs = message.heldBy === by || (by === "operator" && message.heldBy === undefined);
  if (message.heldSince === undefined || !isTheirs) return message;
  return unhold(message, message.heldBy === undefined ? null : (message.author ?? null), now);
};

/**
 * Releases a held message, or returns why it stays held. The operator may release a message unless its application is
 * suspended. The account's owner (null) and keys of the requesting application may release a message only if its key
 * was deleted.
 */
export const releasedBy = (
  message: OutgoingMessage,
  by: MessageAuthor | "operator" | null,
  now: number,
): OutgoingMessage | string => {
  const { author, heldSince, heldBy } = message;
  if (heldSince === undefined) return NOT_HELD;
  if (heldBy === "suspension") return SUSPENDED;
  if (by === "operator") return releaseOf(message, by, now);
  if (heldBy === "operator") return HELD_BY_OPERATOR;
  return by === null || by.application === author?.application ? unhold(message, by, now) : HELD_FOR_OTHER;
};

/** The fault of a request to release a message that is not held. */
export const NOT_HELD = "The message is not held. Read its state with GET /api/outbox.";
const SUSPENDED =
  "The application that asked for the message is suspended. It is sent when the operator resumes that application.";
const HELD_BY_OPERATOR = "The operator of the service holds the message, and alone can release it.";
const HELD_FOR_OTHER =
  "The message was asked for by another application. A key of that application, the account's owner or the operator can release it.";
