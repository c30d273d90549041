import { Duration } from "effect";
import type { AttemptOutcome, RecipientReplies } from "./AttemptOutcome.ts";
import { hold } from "./holds.ts";
import {
  hastenAttempt,
  changeRecipients,
  failureOf,
  hasRecipient,
  MAX_PAUSE,
  PAUSE_CHECK,
  PAUSES,
  stateOf,
} from "./outgoing-state.ts";
import type {
  CopyFailure,
  FailureReason,
  OutgoingMessage,
  OutgoingRecipient,
  RecipientState,
  SmtpReply,
} from "./OutgoingMessage.ts";
import { type MailRetries, nextAttempt, nextCopy, retry } from "./mail-retries.ts";
import { waitForNone } from "./ServerOutages.ts";

/** A change of state that raises an event (spec 7). */
export type OutgoingChange =
  | { readonly type: "email.sent" }
  | { readonly type: "email.bounced"; readonly recipient: string; readonly reply: SmtpReply }
  | { readonly type: "email.delayed"; readonly recipient: string; readonly reply: SmtpReply | null }
  | { readonly type: "email.failed"; readonly state: "failed" | "unknown"; readonly reason: FailureReason };

/** A message after a transition and the events it raises, committed together. */
export interface Transition {
  readonly message: OutgoingMessage;
  readonly changes: ReadonlyArray<OutgoingChange>;
}

/**
 * Returns the message marked before the dot (spec 6): each RCPT reply is recorded, and accepted recipients become
 * `dot`, so that they never get the message twice.
 */
export const mark = (message: OutgoingMessage, replies: RecipientReplies): Transition => {
  const marked = applyReplies(message, replies, "dot");
  return { message: marked, changes: findBounces(message, marked) };
};

/** Returns the message after an attempt, with the time of its next attempt. Times in epoch milliseconds. */
export const settle = (
  attempted: OutgoingMessage,
  outcome: AttemptOutcome,
  now: number,
  retries: MailRetries,
): Transition => {
  const before = waitForNone(attempted);
  if (outcome._tag === "Withheld") return { message: hold(unmark(before), now, outcome.by), changes: [] };
  if (outcome._tag === "AuthRefused" || outcome._tag === "AccountPaused") {
    return pause(unmark(before), outcome, now);
  }
  const after = { ...recipientsAfter(before, outcome), paused: null, failure: failureOf(outcome) };
  const changes = changesOf(before, after, outcome);
  const message = changes.some(({ type }) => type === "email.sent") ? oweCopy(after, now) : after;
  if (!hasRecipient(message, "queued")) return { message: { ...message, attemptAt: null }, changes };
  const since = (message.scheduledFor ?? message.createdAt) + (message.heldMillis ?? 0);
  const expiresAfter = Math.min(message.expiresAfter ?? Infinity, retries.expiresAfter);
  const attemptAt = nextAttempt({ ...retries, expiresAfter }, message.step, since, now);
  if (attemptAt !== undefined) {
    const next = retry(message, outcome, now, attemptAt);
    if (next.isDelayed === true || now - since < retries.delayedAfter) return { message: next, changes };
    return { message: { ...next, isDelayed: true }, changes: [...changes, ...findDelays(next)] };
  }
  const exhausted = exhaust(message);
  return { message: exhausted.message, changes: [...changes, ...exhausted.changes] };
};

/**
 * Returns the message after its lease was lost. Recipients that are `dot` become `unknown`, and never get the message
 * again. The other recipients keep their state.
 */
export const reap = (message: OutgoingMessage): Transition => {
  if (!hasRecipient(message, "dot")) return { message, changes: [] };
  const reaped = changeRecipients(waitForNone(message), "dot", (recipient) => ({ ...recipient, state: "unknown" }));
  const failure = { reason: "process_lost", detail: "the process ended before the server's reply arrived" } as const;
  return {
    message: { ...reaped, failure, attemptAt: hasRecipient(reaped, "queued") ? reaped.attemptAt : null },
    changes: [{ type: "email.failed", state: "unknown", reason: failure.reason }],
  };
};

/** Fails a message as a whole, because its credential was refused while the client waits, or its contents are missing. */
export const abandon = (message: OutgoingMessage, reason: FailureReason, detail: string): Transition => ({
  message: fail({ ...waitForNone(unmark(message)), paused: null }, { reason, detail }),
  changes: [{ type: "email.failed", state: "failed", reason }],
});

/** Makes a queued message due now; returns any other message unchanged. */
export const hasten = (message: OutgoingMessage, now: number): OutgoingMessage =>
  stateOf(message, false) === "queued" ? hastenAttempt(message, now) : message;

/** Makes a paused message due now; the attempt then checks its credential. */
export const resume = (message: OutgoingMessage, now: number): OutgoingMessage =>
  message.paused === null ? message : hastenAttempt(message, now);

/** Returns the message after an attempt to copy it to Sent: the copy is stored, due again, or given up. */
export const settleCopy = (
  message: OutgoingMessage,
  failure: CopyFailure | null,
  now: number,
  retries: MailRetries,
): OutgoingMessage => {
  const { state, step } = message.copy;
  if (failure === null) return { ...message, copy: { state: "kept", step, at: null } };
  const at = nextCopy(retries, step, now);
  return at === undefined
    ? { ...message, copy: { state: "given_up", step, at: null, failure } }
    : { ...message, copy: { state, step: step + 1, at, failure } };
};

const isPositive = ({ code }: SmtpReply): boolean => code < 400;

/** Returns the recipient after a reply about it. */
const applyReply = (recipient: OutgoingRecipient, reply: SmtpReply, accepted: RecipientState): OutgoingRecipient => ({
  ...recipient,
  reply,
  state: isPositive(reply) ? accepted : reply.code >= 500 ? "failed" : "queued",
});

const applyReplies = (message: OutgoingMessage, replies: RecipientReplies, accepted: RecipientState) =>
  changeRecipients(message, "queued", (recipient) => {
    const reply = replies.get(recipient.address);
    return reply === undefined ? recipient : applyReply(recipient, reply, accepted);
  });

/** Queues recipients again after an attempt that certainly sent no dot; their accepted RCPTs are void. */
export const unmark = (message: OutgoingMessage): OutgoingMessage =>
  changeRecipients(message, "dot", (recipient) => ({ ...recipient, state: "queued", reply: null }));

const recipientsAfter = (message: OutgoingMessage, outcome: AttemptOutcome): OutgoingMessage => {
  switch (outcome._tag) {
    case "Answered":
      return keepServerId(
        changeRecipients(message, "dot", (recipient) => applyReply(recipient, outcome.reply, "sent")),
        outcome.providerMessageId,
      );
    case "RecipientsRefused":
      return applyReplies(message, outcome.replies, "queued");
    case "MessageRefused": {
      const refused = hasRecipient(message, "dot") ? "dot" : "queued";
      return changeRecipients(message, refused, (recipient) => applyReply(recipient, outcome.reply, "queued"));
    }
    case "Unknown":
      return changeRecipients(message, "dot", (recipient) => ({ ...recipient, state: "unknown" }));
    case "SenderRefused":
      return outcome.reply.code >= 500 ? fail(unmark(message), failureOf(outcome)) : unmark(message);
    case "TooLarge":
      return fail(unmark(message), failureOf(outcome));
    case "NotSent":
    case "AuthRefused":
    case "AccountPaused":
    case "Withheld":
    case "HostLimited":
      return unmark(message);
  }
};

/** Stores the Message-ID that the server gave the message at its first acceptance. */
const keepServerId = (message: OutgoingMessage, providerMessageId: string | undefined): OutgoingMessage =>
  providerMessageId === undefined ||
  providerMessageId === message.messageId ||
  message.providerMessageId !== undefined ||
  !hasRecipient(message, "sent")
    ? message
    : { ...message, providerMessageId };

const fail = (message: OutgoingMessage, failure: OutgoingMessage["failure"]): OutgoingMessage => ({
  ...changeRecipients(message, "queued", (recipient) => ({ ...recipient, state: "failed" })),
  attemptAt: null,
  failure,
});

const changesOf = (
  before: OutgoingMessage,
  after: OutgoingMessage,
  outcome: AttemptOutcome,
): ReadonlyArray<OutgoingChange> => {
  switch (outcome._tag) {
    case "Answered":
    case "RecipientsRefused":
    case "MessageRefused": {
      const first = hasRecipient(after, "sent") && !hasRecipient(before, "sent");
      return first ? [{ type: "email.sent" }, ...findBounces(before, after)] : findBounces(before, after);
    }
    case "Unknown":
      return hasRecipient(before, "dot") ? [{ type: "email.failed", state: "unknown", reason: outcome.reason }] : [];
    default:
      return after.failure !== null && !hasRecipient(after, "queued")
        ? [{ type: "email.failed", state: "failed", reason: after.failure.reason }]
        : [];
  }
};

/** Returns a bounce for each recipient that failed with a reply. */
const findBounces = (before: OutgoingMessage, after: OutgoingMessage): ReadonlyArray<OutgoingChange> =>
  after.recipients.flatMap(({ address, state, reply }, n): ReadonlyArray<OutgoingChange> =>
    state === "failed" && before.recipients[n]?.state !== "failed" && reply !== null
      ? [{ type: "email.bounced", recipient: address, reply }]
      : [],
  );

/** Returns a delay for each recipient who has not got the message yet. */
const findDelays = ({ recipients }: OutgoingMessage): ReadonlyArray<OutgoingChange> =>
  recipients.flatMap(({ address, state, reply }): ReadonlyArray<OutgoingChange> =>
    state === "queued"
      ? [{ type: "email.delayed", recipient: address, reply: reply === null || isPositive(reply) ? null : reply }]
      : [],
  );

const oweCopy = (message: OutgoingMessage, now: number): OutgoingMessage =>
  message.copy.state === "owed" ? { ...message, copy: { ...message.copy, at: now } } : message;

/** Fails the message at the end of the ladder, with a bounce for each recipient with a reply, and one failure for all other recipients. */
const exhaust = (message: OutgoingMessage): Transition => {
  const failed = fail(message, message.failure);
  const bounced = findBounces(message, failed);
  const hasUnanswered = message.recipients.some(({ state, reply }) => state === "queued" && reply === null);
  const reason = message.failure?.reason ?? "unreachable";
  return {
    message: failed,
    changes: hasUnanswered ? [...bounced, { type: "email.failed", state: "failed", reason }] : bounced,
  };
};

/** Pauses the ladder until a new sign-in or until the account is resumed, for a day at most (spec 6, 10.3). */
const pause = (message: OutgoingMessage, outcome: PausingOutcome, now: number): Transition => {
  const since = message.paused?.since ?? now;
  const failure = PAUSES[outcome._tag];
  if (now - since >= Duration.toMillis(MAX_PAUSE)) return abandon(message, failure.reason, failure.detail);
  const attemptAt = Math.min(now + Duration.toMillis(PAUSE_CHECK), since + Duration.toMillis(MAX_PAUSE));
  const version = outcome._tag === "AuthRefused" ? outcome.version : NO_CREDENTIAL;
  return { message: { ...message, paused: { since, version }, failure, attemptAt }, changes: [] };
};

type PausingOutcome = Extract<AttemptOutcome, { readonly _tag: "AuthRefused" | "AccountPaused" }>;

/** The version to record if no credential was refused. */
const NO_CREDENTIAL = 0;
