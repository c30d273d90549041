import { Clock, Duration, Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import type { OutgoingJournal, OutgoingFilter } from "../ports/OutgoingJournal.ts";
import { scheduleProbe, PROBE_EVERY } from "./ServerOutages.ts";

type Journal = OutgoingJournal["Service"];

/**
 * Returns a message that is about to be released. If the message waits for a server that has no probe, the message
 * becomes the probe. The release must commit in the same transaction. Otherwise two messages could wait for each other,
 * because each expects the other to be the probe.
 */
export const probeUnlessAnother = Effect.fnUntraced(function* (journal: Journal, message: OutgoingMessage) {
  if (message.waitsFor === undefined) return message;
  const now = yield* Clock.currentTimeMillis;
  const probe = scheduleProbe(message, now);
  if (probe === message) return message;
  const isProbed = yield* journal.hasProbe(message.waitsFor, message.id, now + Duration.toMillis(PROBE_EVERY));
  return isProbed ? message : probe;
});

/** Makes the next due message that waits for a server the probe, after the earlier probe was cancelled, held or deleted. */
export const replaceProbe = (journal: Journal, server: string): Effect.Effect<void, StoreUnavailable> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.asVoid(journal.changeWaiting({ server }, (message) => scheduleProbe(message, now), 1)),
  );

/**
 * Changes unfinished messages like `changeWaiting`, so that they no longer wait for a server. Other messages replace
 * the probes among them.
 */
export const stopWaiting = Effect.fnUntraced(function* (
  journal: Journal,
  whose: OutgoingFilter,
  change: (message: OutgoingMessage) => OutgoingMessage,
) {
  const servers = new Set<string>();
  const changed = yield* journal.changeWaiting(whose, (message) => {
    if (message.waitsFor !== undefined) servers.add(message.waitsFor);
    return change(message);
  });
  for (const server of servers) yield* replaceProbe(journal, server);
  return changed;
});
