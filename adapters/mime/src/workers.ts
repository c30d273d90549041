import { Worker } from "node:worker_threads";
import type { AccountId } from "@postern/core/shared";
import { MessageUnparsable } from "@postern/core/messages";
import { Clock, Effect, RcMap, type Scope, Semaphore } from "effect";
import { measureCpu } from "./cpu-time.ts";
import type { JobKind, JobReply, Jobs, WorkerMessage } from "./jobs.ts";
import type { MimeSettings } from "./MimeOptions.ts";
import { findWorker } from "./worker-url.ts";

interface Thread {
  readonly worker: Worker;
  /** Resolves once the worker has loaded its modules; rejects if it cannot. */
  readonly ready: Promise<void>;
  idleSince: number;
}

/** How often the CPU time of a job is measured, in milliseconds. */
const MEASURED_EVERY = 100;

/** Runs a job of an account in a worker that has no other job at that time. */
export type RunJob = <K extends JobKind>(
  account: AccountId,
  kind: K,
  input: Jobs[K]["input"],
) => Effect.Effect<Jobs[K]["answer"], MessageUnparsable>;

/**
 * Starts worker threads on demand and ends idle ones. A worker that exceeds its CPU time or memory is terminated; the
 * next job starts another. On a busy machine a job may fail as `busy`, which says nothing about its message. Each
 * account uses one worker at a time, so that its messages cannot block messages of other accounts. Dies if no worker
 * can start. Closed with the scope.
 */
export const workers = Effect.fnUntraced(function* (
  settings: MimeSettings,
): Effect.fn.Return<RunJob, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  const turns = yield* Semaphore.make(settings.workers);
  const turnsOf = yield* RcMap.make<AccountId, Semaphore.Semaphore, never, never>({ lookup: () => Semaphore.make(1) });
  const idle: Array<Thread> = [];
  let sweeping = false;
  yield* Effect.addFinalizer(() => Effect.sync(() => idle.splice(0).forEach(end)));

  const sweep = Effect.gen(function* () {
    while (idle.length > 0) {
      yield* Effect.sleep(settings.idle);
      const limit = (yield* Clock.currentTimeMillis) - settings.idle;
      const over = idle.filter((thread) => thread.idleSince <= limit);
      for (const thread of over) end(idle.splice(idle.indexOf(thread), 1)[0]!);
    }
    sweeping = false;
  });

  const release = (thread: Thread) =>
    Effect.gen(function* () {
      thread.idleSince = yield* Clock.currentTimeMillis;
      idle.push(thread);
      if (sweeping) return;
      sweeping = true;
      yield* Effect.forkIn(sweep, scope);
    });

  const first = yield* Effect.sync(() => start(settings));
  // The start may take long on a busy machine; the service is not ready before.
  yield* Effect.onError(awaitStart(first), () => Effect.sync(() => end(first)));
  yield* release(first);

  const carryOut = Effect.fnUntraced(function* <K extends JobKind>(kind: K, input: Jobs[K]["input"], asked: number) {
    const left = asked + settings.patience - (yield* Clock.currentTimeMillis);
    const thread = idle.pop() ?? start(settings);
    const reply = yield* Effect.onExit(
      Effect.timeoutOrElse(answerWithin(thread, { kind, input }, settings.timeout), {
        duration: Math.max(0, left),
        orElse: () => BUSY_FAILURE,
      }),
      (exit) => (exit._tag === "Success" ? release(thread) : Effect.sync(() => end(thread))),
    );
    if (reply.answer === null) return yield* new MessageUnparsable({ reason: "malformed" });
    return reply.answer as Jobs[K]["answer"];
  });

  /** The limit `patience` covers the wait for a worker, its start and the job. */
  return (account, kind, input) =>
    Effect.gen(function* () {
      const asked = yield* Clock.currentTimeMillis;
      yield* RcMap.get(turnsOf, account).pipe(
        Effect.tap(takePermit),
        Effect.andThen(takePermit(turns)),
        Effect.timeoutOrElse({
          duration: settings.patience,
          orElse: () => BUSY_FAILURE,
        }),
      );
      return yield* carryOut(kind, input, asked);
    }).pipe(Effect.scoped);
});

const BUSY_FAILURE = Effect.suspend(() => new MessageUnparsable({ reason: "busy" }));

/** Takes one permit until the scope closes. */
const takePermit = (semaphore: Semaphore.Semaphore) =>
  Effect.acquireRelease(semaphore.take(1), () => semaphore.release(1), { interruptible: true });

const start = ({ memory, workerUrl }: MimeSettings): Thread => {
  const worker = new Worker(workerUrl ?? findWorker(), {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    stdout: true,
    stderr: true,
  });
  // Without a listener an 'error' event ends the process.
  worker.on("error", () => {});
  worker.unref();
  const ready = new Promise<void>((resolve, reject) => {
    worker
      .once("message", () => resolve())
      .once("error", reject)
      .once("exit", (code) => reject(new Error(`it ended with code ${code}`)));
  });
  // The job of this worker reports the failure.
  ready.catch(() => {});
  return { worker, ready, idleSince: 0 };
};

const end = ({ worker }: Thread): void => void worker.terminate();

/** Waits until a worker has loaded its modules; dies if it cannot. */
const awaitStart = ({ ready }: Thread): Effect.Effect<void> =>
  Effect.catch(
    Effect.tryPromise(() => ready),
    ({ cause }) => Effect.die(new Error(`the MIME worker cannot start: ${String(cause)}`)),
  );

/** Runs a job once the worker has started; fails if it uses more CPU time than allowed. */
const answerWithin = Effect.fnUntraced(function* (
  { worker, ready }: Thread,
  job: { readonly kind: JobKind; readonly input: unknown },
  timeout: number,
): Effect.fn.Return<JobReply, MessageUnparsable> {
  // A worker that cannot start is not a fault of the message.
  yield* Effect.catch(
    Effect.tryPromise(() => ready),
    () => BUSY_FAILURE,
  );
  const exceeded = Effect.gen(function* () {
    // A measurement costs more than most jobs, so the measurement begins only after this time. The CPU time before the
    // measurement does not count.
    yield* Effect.sleep(MEASURED_EVERY);
    // A worker that has ended cannot be measured; `answerOf` reports its end.
    const used = yield* Effect.promise(() => measureCpu(worker).catch(() => () => Promise.resolve(0)));
    do yield* Effect.sleep(Math.min(MEASURED_EVERY, timeout));
    while ((yield* Effect.promise(() => used().catch(() => 0))) < timeout);
    return yield* new MessageUnparsable({ reason: "too_slow" });
  });
  return yield* Effect.raceFirst(answerOf(worker, job), exceeded);
});

const answerOf = (worker: Worker, job: { readonly kind: JobKind; readonly input: unknown }) =>
  Effect.callback<JobReply, MessageUnparsable>((resume) => {
    const answered = (message: WorkerMessage) => (message === "ready" ? undefined : settle(Effect.succeed(message)));
    const crashed = () => settle(Effect.fail(new MessageUnparsable({ reason: "crashed" })));
    const settle = (outcome: Effect.Effect<JobReply, MessageUnparsable>) => {
      worker.off("message", answered).off("error", crashed).off("exit", crashed);
      resume(outcome);
    };
    worker.on("message", answered).once("error", crashed).once("exit", crashed);
    worker.postMessage(job);
  });
