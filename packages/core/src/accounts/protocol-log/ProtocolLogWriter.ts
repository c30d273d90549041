import { Clock, Context, Duration, Effect, Exit, Layer, Semaphore } from "effect";
import { repeatSteps, type Worker } from "../../shared/neighbours.ts";
import { type StoreUnavailable } from "../../shared/index.ts";
import { ProtocolLogs } from "../ports/ProtocolLogs.ts";
import { ProtocolRecorder } from "./ProtocolRecorder.ts";

/** How often the lines of recorded accounts are written. */
const WRITE_EVERY = Duration.seconds(1);

/**
 * Tells this node's recorder which accounts are recorded, and writes their lines (spec 10.5). While no account is
 * recorded it sleeps until a log is started.
 */
export class ProtocolLogWriter extends Context.Service<
  ProtocolLogWriter,
  {
    readonly worker: Worker;
    /** Follows the logs as they are now, and writes what this node has recorded. */
    readonly now: Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/accounts/ProtocolLogWriter") {
  static readonly layer = Layer.effect(
    ProtocolLogWriter,
    Effect.gen(function* () {
      const logs = yield* ProtocolLogs;
      const recorder = yield* ProtocolRecorder;
      const turn = yield* Semaphore.make(1);
      let isRecording = false;

      const now = Effect.gen(function* () {
        // Taken first: a log that has ended still gets the lines from before its end.
        const accounts = yield* recorder.waiting;
        const at = yield* Clock.currentTimeMillis;
        for (const account of accounts) {
          yield* Effect.acquireUseRelease(
            recorder.take(account),
            ({ lines }) => logs.append(account, at, lines),
            // The database may have written them all the same, so they are not written again.
            (taken, exit) => (Exit.isSuccess(exit) ? Effect.void : recorder.lost(account, taken)),
          );
        }
        const running = yield* logs.running(at);
        isRecording = running.length > 0;
        yield* recorder.follow(running);
        return accounts.length;
      }).pipe(turn.withPermits(1));

      const asleep = Effect.suspend(() =>
        isRecording ? Effect.raceFirst(logs.changed, Effect.sleep(WRITE_EVERY)) : logs.changed,
      );
      const last = Effect.ignore(now);

      return ProtocolLogWriter.of({
        now,
        worker: {
          name: "protocol logs",
          runDue: now,
          run: repeatSteps("protocol logs", Effect.andThen(now, asleep)),
          stop: Effect.void,
          drain: (within) => Effect.asVoid(Effect.timeoutOption(last, within)),
          nextDue: Effect.succeedNone,
        },
      });
    }),
  );
}
