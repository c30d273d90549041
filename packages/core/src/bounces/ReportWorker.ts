import { Context, Effect, FiberSet, Layer } from "effect";
import { workOnDue } from "../shared/index.ts";
import { ParseJobs } from "./ports/ParseJobs.ts";
import { ReportReading } from "./ReportReading.ts";

/** Messages read at a time: twice what is parsed at a time, so that fetching does not keep the parser waiting. */
const MOST_AT_ONCE = 4;
/** Longer than fetching and parsing may take together, in milliseconds. */
const LEASE_MILLIS = 30_000;

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
      const { claim, nextDue, changed } = yield* ParseJobs;
      const reading = yield* ReportReading;
      const fibers = yield* FiberSet.make<void>();
      const { runDue } = yield* workOnDue({
        mostAtOnce: MOST_AT_ONCE,
        leaseMillis: LEASE_MILLIS,
        claim,
        nextDue,
        changed,
        start: (job, { token }, ended) =>
          Effect.catchCause(reading.read(job, token), (cause) =>
            Effect.logWarning("a possible report could not be read", cause),
          ).pipe(Effect.interruptible, Effect.ensuring(ended), FiberSet.run(fibers), Effect.asVoid),
      });
      return ReportWorker.of({ runDue });
    }),
  );
}
