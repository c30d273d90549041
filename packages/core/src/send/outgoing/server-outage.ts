import { Duration } from "effect";
import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type { FailureReason, OutgoingMessage } from "./OutgoingMessage.ts";

/** How often one of the messages that wait for a mail server is tried: the probe (spec 6.4). */
export const PROBE_EVERY = Duration.seconds(30);

/** Failures of a whole server, not of one account or message. */
const OUTAGES: ReadonlySet<FailureReason> = new Set([
  "unreachable",
  "untrusted",
  "timeout",
  "connection_cut",
  "busy",
  "flood",
]);

/** Returns the mail server that an attempt failed to reach, as `host:port`; undefined if that was not its failure. */
export const serverDown = (outcome: AttemptOutcome): string | undefined =>
  outcome._tag === "NotSent" && OUTAGES.has(outcome.reason) ? outcome.server : undefined;

/** Returns the mail server that answered an attempt, whatever it said, as `host:port`; undefined if none did. */
export const serverUp = (outcome: AttemptOutcome): string | undefined =>
  outcome._tag === "NotSent" || outcome._tag === "Unknown" ? undefined : outcome.server;

/** Returns the message with its next attempt in `PROBE_EVERY` at the latest. */
export const asProbe = (message: OutgoingMessage, now: number): OutgoingMessage => {
  const at = now + Duration.toMillis(PROBE_EVERY);
  return message.attemptAt === null || message.attemptAt <= at ? message : { ...message, attemptAt: at };
};

/** Returns the message due now, because the server that it waits for is back. */
export const wake = (message: OutgoingMessage, now: number): OutgoingMessage => {
  const rest = waitForNone(message);
  return rest.attemptAt === null || rest.attemptAt <= now ? rest : { ...rest, attemptAt: now };
};

/** Returns the message as one that waits for no server. */
export const waitForNone = (message: OutgoingMessage): OutgoingMessage => {
  if (message.waitsFor === undefined) return message;
  const { waitsFor: _, ...rest } = message;
  return rest;
};
