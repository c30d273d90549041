import { Clock, Context, Duration, Effect, Layer } from "effect";
import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type { FailureReason, OutgoingMessage } from "./OutgoingMessage.ts";
import { hastenAttempt } from "./outgoing-state.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";

/** The state of a mail server as last seen by this process. */
interface SeenServer {
  isDown: boolean;
  /** When the messages that wait for the server were last woken, in epoch milliseconds. */
  wokenAt: number;
}

/** The number of servers of all accounts that this process remembers. Only the probe wakes messages that wait for a forgotten server. */
const MAX_SERVERS = 1_000;

/** The number of messages woken in one transaction. */
const WOKEN_AT_ONCE = 500;

/**
 * Wakes the messages that wait for a mail server when it answers any attempt (spec 6.4). Queries messages only for
 * servers that failed in this process and for the server of a probe, so that most attempts need no query.
 */
export class ServerOutages extends Context.Service<
  ServerOutages,
  {
    /** Records the state of the server from the outcome of a committed attempt. */
    readonly observe: (attempted: OutgoingMessage, outcome: AttemptOutcome) => Effect.Effect<void>;
  }
>()("@postern/core/send/outgoing/ServerOutages") {
  static readonly layer = Layer.effect(
    ServerOutages,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const seen = new Map<string, SeenServer>();

      const serverOf = (name: string): SeenServer => {
        const known = seen.get(name) ?? { isDown: false, wokenAt: -Infinity };
        seen.delete(name);
        seen.set(name, known);
        const [oldest] = seen.keys();
        if (seen.size > MAX_SERVERS && oldest !== undefined) seen.delete(oldest);
        return known;
      };

      const wakeAll = Effect.fnUntraced(function* (server: string, now: number) {
        for (;;) {
          const woken = yield* journal.changeWaiting({ server }, (message) => wake(message, now), WOKEN_AT_ONCE);
          if (woken.length < WOKEN_AT_ONCE) return;
        }
      });

      const observe = Effect.fn("ServerOutages.observe")(function* (
        attempted: OutgoingMessage,
        outcome: AttemptOutcome,
      ) {
        const down = unreachedServer(outcome);
        if (down !== undefined) return void (serverOf(down).isDown = true);
        const up = answeringServer(outcome);
        if (up === undefined || (attempted.waitsFor !== up && seen.get(up)?.isDown !== true)) return;
        const server = serverOf(up);
        server.isDown = true;
        const now = yield* Clock.currentTimeMillis;
        // A server may answer some attempts and refuse others. Its answers then wake waiting messages no more often
        // than its probe does.
        if (now - server.wokenAt < Duration.toMillis(PROBE_EVERY)) return;
        server.wokenAt = now;
        server.isDown = false;
        yield* Effect.catch(wakeAll(up, now), (error) => {
          server.isDown = true;
          return Effect.logWarning("waking the messages that wait for a mail server failed", error);
        });
      });

      return ServerOutages.of({ observe });
    }),
  );
}

/**
 * The interval between attempts of the probe of a mail server. The probe is one of the messages that wait for the
 * server (spec 6.4).
 */
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

/** Returns the mail server that an attempt failed to reach, as `host:port`; undefined if the attempt had another outcome. */
export const unreachedServer = (outcome: AttemptOutcome): string | undefined =>
  outcome._tag === "NotSent" && OUTAGES.has(outcome.reason) ? outcome.server : undefined;

/** Returns the mail server that answered an attempt, positively or negatively, as `host:port`; undefined if no server answered. */
export const answeringServer = (outcome: AttemptOutcome): string | undefined =>
  outcome._tag === "NotSent" || outcome._tag === "Unknown" ? undefined : outcome.server;

/** Returns the message with its next attempt at most `PROBE_EVERY` from now. */
export const scheduleProbe = (message: OutgoingMessage, now: number): OutgoingMessage =>
  hastenAttempt(message, now + Duration.toMillis(PROBE_EVERY));

/** Makes a message due now, because the server for which it waits is reachable again. */
export const wake = (message: OutgoingMessage, now: number): OutgoingMessage =>
  hastenAttempt(waitForNone(message), now);

/** Returns the message without the server for which it waits. */
export const waitForNone = (message: OutgoingMessage): OutgoingMessage => {
  if (message.waitsFor === undefined) return message;
  const { waitsFor: _, ...rest } = message;
  return rest;
};
