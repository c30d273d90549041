import { Duration } from "effect";
import type { AttemptOutcome, RecipientReplies } from "./AttemptOutcome.ts";
import { failureOf } from "./attempt-failure.ts";
import type {
  CopyFailure,
  FailureReason,
  OutgoingMessage,
  OutgoingRecipient,
  RecipientState,
  SmtpReply,
} from "./OutgoingMessage.ts";
import { RETRY_LADDER } from "../shared/index.ts";
import { changeRecipients, hasRecipient, LONGEST_PAUSE, PAUSE_LOOK, stateOf } from "./outgoing-state.ts";

/** What has to be told of a change of state (spec 7). */
export type OutgoingNews =
  | { readonly type: "email.sent" }
  | { readonly type: "email.bounced"; readonly recipient: string; readonly reply: SmtpReply }
  | { readonly type: "email.failed"; readonly state: "failed" | "unknown"; readonly reason: FailureReason };

/** A message after a transition, and the news of it: both are committed together or not at all. */
export interface Transition {
  readonly message: OutgoingMessage;
  readonly news: ReadonlyArray<OutgoingNews>;
}

/**
 * The mark before the dot (spec 6): each RCPT reply is recorded; who was accepted is `dot` from here on, so that
 * whatever happens next, no recipient is sent the message twice.
 */
export const mark = (message: OutgoingMessage, replies: RecipientReplies): Transition => {
  const marked = answeredEach(message, replies, "dot");
  return { message: marked, news: bounces(message, marked) };
};

/** Records how an attempt ended and when the next one is due. Times in epoch milliseconds. */
export const settle = (before: OutgoingMessage, outcome: AttemptOutcome, now: number): Transition => {
  if (outcome._tag === "AuthRefused") return pause(backToQueue(before), outcome.version, now);
  const after = { ...recipientsAfter(before, outcome), paused: null, failure: failureOf(outcome) };
  const news = newsOf(before, after, outcome);
  const message = news.some(({ type }) => type === "email.sent") ? owingCopy(after, now) : after;
  if (!hasRecipient(message, "queued")) return { message: { ...message, attemptAt: null }, news };
  const wait = RETRY_LADDER[message.step];
  if (wait !== undefined) return { message: { ...message, step: message.step + 1, attemptAt: now + wait }, news };
  const exhausted = exhaust(message);
  return { message: exhausted.message, news: [...news, ...exhausted.news] };
};

/** A lease was lost: what was past its mark may have been sent and is never sent again; all others stay as they are. */
export const reap = (message: OutgoingMessage): Transition => {
  if (!hasRecipient(message, "dot")) return { message, news: [] };
  const reaped = changeRecipients(message, "dot", (recipient) => ({ ...recipient, state: "unknown" }));
  const failure = { reason: "process_lost", detail: "the process ended before the answer came" } as const;
  return {
    message: { ...reaped, failure, attemptAt: hasRecipient(reaped, "queued") ? reaped.attemptAt : null },
    news: [{ type: "email.failed", state: "unknown", reason: failure.reason }],
  };
};

/** Ends a message as a whole: for a credential refused while the client waits, or contents that are gone. */
export const abandon = (message: OutgoingMessage, reason: FailureReason, detail: string): Transition => ({
  message: fail({ ...backToQueue(message), paused: null }, { reason, detail }),
  news: [{ type: "email.failed", state: "failed", reason }],
});

/** Cancels a message that was sent to no recipient yet; returns it unchanged where it is too late. */
export const cancel = (message: OutgoingMessage): OutgoingMessage => {
  const state = stateOf(message, false);
  if (state !== "queued" && state !== "scheduled") return message;
  const cancelled = changeRecipients(message, "queued", (recipient) => ({ ...recipient, state: "cancelled" }));
  return { ...cancelled, attemptAt: null, paused: null };
};

/** Makes a message that waits for a new sign-in due now; what it waits with is looked at then. */
export const resume = (message: OutgoingMessage, now: number): OutgoingMessage =>
  message.paused === null || message.attemptAt === null || message.attemptAt <= now
    ? message
    : { ...message, attemptAt: now };

/** What became of trying to put the copy into Sent: there, or tried again on the ladder. */
export const settleCopy = (message: OutgoingMessage, failure: CopyFailure | null, now: number): OutgoingMessage => {
  const { state, step } = message.copy;
  if (failure === null) return { ...message, copy: { state: "kept", step, at: null } };
  const wait = RETRY_LADDER[step];
  return wait === undefined
    ? { ...message, copy: { state: "given_up", step, at: null, failure } }
    : { ...message, copy: { state, step: step + 1, at: now + wait, failure } };
};

const isPositive = ({ code }: SmtpReply): boolean => code < 400;

/** Moves a recipient where a reply about it moves it. */
const answered = (recipient: OutgoingRecipient, reply: SmtpReply, accepted: RecipientState): OutgoingRecipient => ({
  ...recipient,
  reply,
  state: isPositive(reply) ? accepted : reply.code >= 500 ? "failed" : "queued",
});

const answeredEach = (message: OutgoingMessage, replies: RecipientReplies, accepted: RecipientState) =>
  changeRecipients(message, "queued", (recipient) => {
    const reply = replies.get(recipient.address);
    return reply === undefined ? recipient : answered(recipient, reply, accepted);
  });

/** It is known that the dot did not leave. That RCPT was accepted then means nothing any more. */
const backToQueue = (message: OutgoingMessage): OutgoingMessage =>
  changeRecipients(message, "dot", (recipient) => ({ ...recipient, state: "queued", reply: null }));

const recipientsAfter = (message: OutgoingMessage, outcome: AttemptOutcome): OutgoingMessage => {
  switch (outcome._tag) {
    case "Answered":
      return changeRecipients(message, "dot", (recipient) => answered(recipient, outcome.reply, "sent"));
    case "RecipientsRefused":
      return answeredEach(message, outcome.replies, "queued");
    case "MessageRefused": {
      const refused = hasRecipient(message, "dot") ? "dot" : "queued";
      return changeRecipients(message, refused, (recipient) => answered(recipient, outcome.reply, "queued"));
    }
    case "Unknown":
      return changeRecipients(message, "dot", (recipient) => ({ ...recipient, state: "unknown" }));
    case "SenderRefused":
      return outcome.reply.code >= 500 ? fail(backToQueue(message), failureOf(outcome)) : backToQueue(message);
    case "TooLarge":
      return fail(backToQueue(message), failureOf(outcome));
    case "NotSent":
    case "AuthRefused":
      return backToQueue(message);
  }
};

const fail = (message: OutgoingMessage, failure: OutgoingMessage["failure"]): OutgoingMessage => ({
  ...changeRecipients(message, "queued", (recipient) => ({ ...recipient, state: "failed" })),
  attemptAt: null,
  failure,
});

const newsOf = (
  before: OutgoingMessage,
  after: OutgoingMessage,
  outcome: AttemptOutcome,
): ReadonlyArray<OutgoingNews> => {
  switch (outcome._tag) {
    case "Answered":
    case "RecipientsRefused":
    case "MessageRefused": {
      const first = hasRecipient(after, "sent") && !hasRecipient(before, "sent");
      return first ? [{ type: "email.sent" }, ...bounces(before, after)] : bounces(before, after);
    }
    case "Unknown":
      return hasRecipient(before, "dot") ? [{ type: "email.failed", state: "unknown", reason: outcome.reason }] : [];
    default:
      return after.failure !== null && !hasRecipient(after, "queued")
        ? [{ type: "email.failed", state: "failed", reason: after.failure.reason }]
        : [];
  }
};

/** A bounce for each recipient that failed with an answer of its own. */
const bounces = (before: OutgoingMessage, after: OutgoingMessage): ReadonlyArray<OutgoingNews> =>
  after.recipients.flatMap(({ address, state, reply }, n): ReadonlyArray<OutgoingNews> =>
    state === "failed" && before.recipients[n]?.state !== "failed" && reply !== null
      ? [{ type: "email.bounced", recipient: address, reply }]
      : [],
  );

const owingCopy = (message: OutgoingMessage, now: number): OutgoingMessage =>
  message.copy.state === "owed" ? { ...message, copy: { ...message.copy, at: now } } : message;

/** The ladder ended: a bounce for each who was answered, one failure for all who were not. */
const exhaust = (message: OutgoingMessage): Transition => {
  const failed = fail(message, message.failure);
  const told = bounces(message, failed);
  const untold = message.recipients.some(({ state, reply }) => state === "queued" && reply === null);
  const reason = message.failure?.reason ?? "unreachable";
  return { message: failed, news: untold ? [...told, { type: "email.failed", state: "failed", reason }] : told };
};

/** The ladder stands still until a new sign-in, for a day at most (spec 6). */
const pause = (message: OutgoingMessage, version: number, now: number): Transition => {
  const since = message.paused?.since ?? now;
  const detail = "the SMTP server refuses the password kept for this account";
  if (now - since >= Duration.toMillis(LONGEST_PAUSE)) return abandon(message, "smtp_auth_failed", detail);
  const attemptAt = Math.min(now + Duration.toMillis(PAUSE_LOOK), since + Duration.toMillis(LONGEST_PAUSE));
  const failure = { reason: "smtp_auth_failed", detail } as const;
  return { message: { ...message, paused: { since, version }, failure, attemptAt }, news: [] };
};
