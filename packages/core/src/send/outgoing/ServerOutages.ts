import { Clock, Context, Duration, Effect, Layer } from "effect";
import type { AttemptOutcome } from "./AttemptOutcome.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { PROBE_EVERY, serverDown, serverUp, wake } from "./server-outage.ts";

/** What this process saw of a mail server. */
interface SeenServer {
  isDown: boolean;
  /** When the messages that waited for it were last woken, in epoch milliseconds. */
  wokenAt: number;
}

/** Servers that this process remembers, of all accounts; of one that it forgot, only the probe wakes what waits. */
const MAX_SERVERS = 1_000;

/** Messages that are woken in one transaction. */
const WOKEN_AT_ONCE = 500;

/**
 * Wakes the messages that wait for a mail server when it answers any attempt (spec 6.4). Only servers that this process
 * saw failing are looked up, and the server of a probe, so that an attempt normally costs nothing here.
 */
export class ServerOutages extends Context.Service<
  ServerOutages,
  {
    /** Notes what the outcome of an attempt, once committed, says about its server. */
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
        const down = serverDown(outcome);
        if (down !== undefined) return void (serverOf(down).isDown = true);
        const up = serverUp(outcome);
        if (up === undefined || (attempted.waitsFor !== up && seen.get(up)?.isDown !== true)) return;
        const server = serverOf(up);
        server.isDown = true;
        const now = yield* Clock.currentTimeMillis;
        // A server that answers some attempts and refuses others wakes those no more often than its probe would.
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
