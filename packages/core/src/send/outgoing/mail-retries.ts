import { Duration } from "effect";
import type { RetryLadder } from "../../shared/index.ts";
import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { hastenAttempt } from "./outgoing-state.ts";
import { unreachedServer } from "./ServerOutages.ts";

/**
 * The times of retries: the waits between attempts (the last one repeats), the age at which a waiting message is
 * reported as delayed, and the maximum waiting time, all in milliseconds.
 */
export interface MailRetries {
  readonly delays: RetryLadder;
  readonly delayedAfter: number;
  readonly expiresAfter: number;
}

/** The default: 1 min, 5 min, 15 min, 30 min, 1 h and then every 2 h, for 4 days (RFC 5321, 4.5.4.1); delayed after 4 h. */
export const MAIL_RETRIES: MailRetries = {
  delays: [
    Duration.minutes(1),
    Duration.minutes(5),
    Duration.minutes(15),
    Duration.minutes(30),
    Duration.hours(1),
    Duration.hours(2),
  ].map(Duration.toMillis),
  delayedAfter: Duration.toMillis(Duration.hours(4)),
  expiresAfter: Duration.toMillis(Duration.days(4)),
};

const waitAfter = ({ delays, expiresAfter }: MailRetries, step: number): number =>
  delays[step] ?? delays.at(-1) ?? expiresAfter;

/**
 * Returns the time of the next attempt of a message that has waited since `since`, after failure number `step` (from
 * 0); undefined after the message's expiry. The last attempt takes place at the expiry.
 */
export const nextAttempt = (retries: MailRetries, step: number, since: number, now: number): number | undefined => {
  const end = since + retries.expiresAfter;
  return now >= end ? undefined : Math.min(now + waitAfter(retries, step), end);
};

/**
 * Returns the time of the next attempt to store a copy, after failure number `step` (from 0); undefined if the copy is
 * given up.
 */
export const nextCopy = (retries: MailRetries, step: number, now: number): number | undefined => {
  let waited = 0;
  for (let n = 0; n < step && waited < retries.expiresAfter; n++) waited += waitAfter(retries, n);
  return waited < retries.expiresAfter ? now + waitAfter(retries, step) : undefined;
};

/** The wait before a message tries again if its host has no room for another connection. */
const FULL_HOST_WAIT = Duration.seconds(10);

/**
 * Returns the message with its next attempt at `attemptAt`; if the server is down, the message waits for it. A host
 * that has no free connection is not a failure of the server. The message is tried again soon, and no other message
 * waits for the server.
 */
export const retry = (
  message: OutgoingMessage,
  outcome: AttemptOutcome,
  now: number,
  attemptAt: number,
): OutgoingMessage => {
  if (outcome._tag === "HostLimited")
    return hastenAttempt({ ...message, attemptAt }, now + Duration.toMillis(FULL_HOST_WAIT));
  const server = unreachedServer(outcome);
  return { ...message, ...(server === undefined ? {} : { waitsFor: server }), step: message.step + 1, attemptAt };
};
