import { Clock, Context, Effect, FiberSet, Layer, Option, Queue } from "effect";
import { Entropy } from "../shared/ports/Entropy.ts";
import { ParseJobs } from "./ports/ParseJobs.ts";
import { ReportReading } from "./ReportReading.ts";

/** Messages read at a time: twice what is parsed at a time, so that fetching does not keep the parser waiting. */
const MOST_AT_ONCE = 4;
/** Longer than fetching and parsing may take together, in milliseconds. */
const LEASE_MILLIS = 30_000;
const AFTER_FAILURE = "1 second";

/** Reads what may be reports (decisions 7): sleeps until there is something, and is woken when there is. */
export class ReportWorker extends Context.Service<
  ReportWorker,
  {
    /** One pass: claims what is due now, as far as there is room, and waits until all of it is done. */
    readonly runDue: Effect.Effect<number>;
  }
>()("@postern/core/bounces/ReportWorker") {
  static readonly layer = Layer.effect(
    ReportWorker,
    Effect.gen(function* () {
      const jobs = yield* ParseJobs;
      const reading = yield* ReportReading;
      const entropy = yield* Entropy;
      const fibers = yield* FiberSet.make<void>();
      const ended = yield* Queue.sliding<void>(1);
      let running = 0;

      const claim = Effect.gen(function* () {
        const room = MOST_AT_ONCE - running;
        if (room === 0) return 0;
        const now = yield* Clock.currentTimeMillis;
        const token = yield* entropy.id(128);
        const claimed = yield* jobs.claim(now, { token, until: now + LEASE_MILLIS }, room);
        running += claimed.length;
        for (const job of claimed) {
          const work = Effect.catchCause(reading.read(job, token), (cause) =>
            Effect.logWarning("a possible report could not be read", cause),
          );
          const end = Effect.sync(() => {
            running--;
            Queue.offerUnsafe(ended, undefined);
          });
          yield* FiberSet.run(fibers, Effect.ensuring(Effect.interruptible(work), end));
        }
        return claimed.length;
      }).pipe(Effect.uninterruptible);

      const untilDue = Effect.gen(function* () {
        const due = yield* jobs.nextDue;
        const now = yield* Clock.currentTimeMillis;
        const sleep = Option.match(due, {
          onNone: () => Effect.never,
          onSome: (at) => Effect.sleep(Math.max(1, at - now)),
        });
        return yield* Effect.raceAllFirst([sleep, jobs.changed, Queue.take(ended)]);
      });

      const pass = Effect.gen(function* () {
        const claimed = yield* claim;
        if (running === MOST_AT_ONCE) yield* Queue.take(ended);
        else if (claimed === 0) yield* untilDue;
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logWarning("messages to be read could not be looked up", cause),
            Effect.sleep(AFTER_FAILURE),
          ),
        ),
      );
      yield* Effect.forkScoped(Effect.forever(pass));

      const runDue = Effect.gen(function* () {
        const claimed = yield* Effect.orElseSucceed(claim, () => 0);
        while (running > 0) yield* Queue.take(ended);
        return claimed;
      });

      return ReportWorker.of({ runDue });
    }),
  );
}
