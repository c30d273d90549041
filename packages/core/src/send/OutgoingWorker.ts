import { Context, type Duration, Effect, Layer } from "effect";
import { workOnDue } from "../shared/index.ts";
import { LEASE_MILLIS } from "./limits.ts";
import { OutgoingAttempts } from "./OutgoingAttempts.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";

/** Messages this process works on at a time. */
const MOST_AT_ONCE = 50;

/** Sends what is due (decisions 6): sleeps until something is, and is woken when something becomes so. */
export class OutgoingWorker extends Context.Service<
  OutgoingWorker,
  {
    /** One pass: claims what is due now, as far as there is room, and waits until all of it is done. */
    readonly runDue: Effect.Effect<number>;
    /** Claims nothing more. */
    readonly stop: Effect.Effect<void>;
    /** Stops, lets attempts under way come to their end, and gives back what does not in time. */
    readonly drain: (within: Duration.Input) => Effect.Effect<void>;
  }
>()("@postern/core/send/OutgoingWorker") {
  static readonly layer = Layer.effect(
    OutgoingWorker,
    Effect.gen(function* () {
      const { claim, nextDue, changed } = yield* OutgoingJournal;
      const attempts = yield* OutgoingAttempts;
      const { runDue, stop } = yield* workOnDue({
        mostAtOnce: MOST_AT_ONCE,
        leaseMillis: LEASE_MILLIS,
        claim,
        nextDue,
        changed,
        start: (message, lease, ended) => attempts.start(message, lease, { ended }),
      });
      const drain = (within: Duration.Input) => Effect.andThen(stop, attempts.drain(within));
      return OutgoingWorker.of({ runDue, stop, drain });
    }),
  );
}
