import { Clock, Context, Duration, Effect, Layer, Option, Queue } from "effect";
import { Entropy } from "../shared/ports/Entropy.ts";
import { LEASE_MILLIS, OutgoingAttempts } from "./OutgoingAttempts.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";

/** Messages this process works on at a time. */
const MOST_AT_ONCE = 50;
/** How long the database is left alone after it failed. */
const AFTER_FAILURE = Duration.seconds(1);

/** Sends what is due (decisions 6): sleeps until something is, and is woken when something becomes so. */
export class OutgoingWorker extends Context.Service<
  OutgoingWorker,
  {
    /** One pass: claims what is due now, as far as there is room, and waits until all of it is done. */
    readonly runDue: Effect.Effect<number>;
  }
>()("@postern/core/send/OutgoingWorker") {
  static readonly layer = Layer.effect(
    OutgoingWorker,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const attempts = yield* OutgoingAttempts;
      const entropy = yield* Entropy;
      const ended = yield* Queue.sliding<void>(1);
      let running = 0;

      const claim = Effect.gen(function* () {
        const room = MOST_AT_ONCE - running;
        if (room === 0) return 0;
        const now = yield* Clock.currentTimeMillis;
        const token = yield* entropy.id(128);
        const lease = { token, until: now + LEASE_MILLIS };
        const claimed = yield* journal.claim(now, lease, room);
        running += claimed.length;
        const end = Effect.sync(() => {
          running--;
          Queue.offerUnsafe(ended, undefined);
        });
        for (const message of claimed) yield* attempts.start(message, lease, { ended: end });
        return claimed.length;
      }).pipe(Effect.uninterruptible);

      /** Every message that is journaled rings, most of them leased for long: only what is due is worth a claim. */
      const pass = Effect.gen(function* () {
        if (running === MOST_AT_ONCE) return yield* Queue.take(ended);
        const due = Option.getOrUndefined(yield* journal.nextDue);
        const now = yield* Clock.currentTimeMillis;
        if (due !== undefined && due <= now && (yield* claim) > 0) return;
        const sleep = due === undefined ? Effect.never : Effect.sleep(Math.max(1, due - now));
        yield* Effect.raceAllFirst([sleep, journal.changed, Queue.take(ended)]);
      }).pipe(
        // Whatever goes wrong once, what is due later is still sent.
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning("the journal could not be read", cause), Effect.sleep(AFTER_FAILURE)),
        ),
      );
      yield* Effect.forkScoped(Effect.forever(pass));

      const runDue = Effect.gen(function* () {
        const claimed = yield* Effect.orElseSucceed(claim, () => 0);
        while (running > 0) yield* Queue.take(ended);
        return claimed;
      });

      return OutgoingWorker.of({ runDue });
    }),
  );
}
