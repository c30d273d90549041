import { Context, Duration, Effect, Layer } from "effect";
import { leasedWorker, type Worker } from "../shared/neighbours.ts";
import { readReport, reportReader } from "./read-report.ts";

/** The number of messages read at a time: twice the number parsed at a time, so that the parser does not wait for fetches. */
const MAX_AT_ONCE = 4;
const LEASE = Duration.seconds(30);
const RENEW_EVERY = Duration.seconds(10);

/** Processes parse jobs (spec 9.5). */
export class ReportWorker extends Context.Service<ReportWorker, Worker>()("@postern/core/bounces/ReportWorker") {
  static readonly layer = Layer.effect(
    ReportWorker,
    Effect.gen(function* () {
      const reader = yield* reportReader;
      const worker = yield* leasedWorker({
        name: "reports",
        rows: reader.jobs,
        idOf: ({ id }) => id,
        maxAtOnce: MAX_AT_ONCE,
        lease: LEASE,
        renewEvery: RENEW_EVERY,
        work: (job, { token }) =>
          Effect.catchCause(readReport(reader, job, token), (cause) =>
            Effect.logWarning("reading a possible report failed", cause),
          ),
      });
      return ReportWorker.of(worker);
    }),
  );
}
