import { Worker } from "node:worker_threads";
import type { AccountId } from "@postern/core/shared";
import { MessageUnparsable } from "@postern/core/messages";
import { Clock, Effect, RcMap, type Scope, Semaphore } from "effect";
import type { JobKind, JobReply, Jobs, WorkerMessage } from "./jobs.ts";
import type { MimeSettings } from "./MimeOptions.ts";
import { workerUrl } from "./worker-url.ts";

interface Thread {
  readonly worker: Worker;
  idleSince: number;
}

/** Fraction of the timeout a job must have had to fail as too slow. */
const FULL_TIME = 0.9;

/** Time for the first worker to start on a busy machine. */
const START_TIMEOUT = "30 seconds";

/** Runs a job of an account in a worker that has no other job at that time. */
export type RunJob = <K extends JobKind>(
  account: AccountId,
  kind: K,
  input: Jobs[K]["input"],
) => Effect.Effect<Jobs[K]["answer"], MessageUnparsable>;

/**
 * Starts worker threads on demand and ends idle ones. A worker that exceeds its time or memory is terminated; the next
 * job starts another. Each account uses one worker at a time, so that its messages cannot block those of other
 * accounts. Dies if no worker can start. Closed with the scope.
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

  const giveBack = (thread: Thread) =>
    Effect.gen(function* () {
      thread.idleSince = yield* Clock.currentTimeMillis;
      idle.push(thread);
      if (sweeping) return;
      sweeping = true;
      yield* Effect.forkIn(sweep, scope);
    });

  const first = yield* Effect.sync(() => start(settings));
  yield* Effect.onError(started(first.worker), () => Effect.sync(() => end(first)));
  yield* giveBack(first);

  const carryOut = Effect.fnUntraced(function* <K extends JobKind>(kind: K, input: Jobs[K]["input"], asked: number) {
    const left = asked + settings.timeout - (yield* Clock.currentTimeMillis);
    // Waiting for a worker may have used up the message's time.
    const reason = left < settings.timeout * FULL_TIME ? "busy" : "too_slow";
    const thread = idle.pop() ?? start(settings);
    const reply = yield* Effect.onExit(
      Effect.timeoutOrElse(answerOf(thread.worker, { kind, input }), {
        duration: Math.max(0, left),
        orElse: () => Effect.fail(new MessageUnparsable({ reason })),
      }),
      (exit) => (exit._tag === "Success" ? giveBack(thread) : Effect.sync(() => end(thread))),
    );
    if (reply.answer === null) return yield* new MessageUnparsable({ reason: "malformed" });
    return reply.answer as Jobs[K]["answer"];
  });

  /** The timeout covers both the wait for a worker and the job. */
  return (account, kind, input) =>
    Effect.gen(function* () {
      const asked = yield* Clock.currentTimeMillis;
      yield* RcMap.get(turnsOf, account).pipe(
        Effect.tap(takePermit),
        Effect.andThen(takePermit(turns)),
        Effect.timeoutOrElse({
          duration: settings.timeout,
          orElse: () => Effect.fail(new MessageUnparsable({ reason: "busy" })),
        }),
      );
      return yield* carryOut(kind, input, asked);
    }).pipe(Effect.scoped);
});

/** Takes one permit until the scope closes. */
const takePermit = (semaphore: Semaphore.Semaphore) =>
  Effect.acquireRelease(semaphore.take(1), () => semaphore.release(1), { interruptible: true });

const start = ({ memory, worker: given }: MimeSettings): Thread => {
  const worker = new Worker(given ?? workerUrl(), {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    stdout: true,
    stderr: true,
  });
  // Without a listener an 'error' event ends the process.
  worker.on("error", () => {});
  worker.unref();
  return { worker, idleSince: 0 };
};

const end = ({ worker }: Thread): void => void worker.terminate();

/** Waits until a worker has loaded its modules; dies if it cannot. */
const started = (worker: Worker): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const failed = (why: unknown) => resume(Effect.die(new Error(`the MIME worker cannot start: ${String(why)}`)));
    worker
      .once("message", () => resume(Effect.void))
      .once("error", failed)
      .once("exit", (code) => failed(`it ended with code ${code}`));
  }).pipe(
    Effect.timeoutOrElse({
      duration: START_TIMEOUT,
      orElse: () => Effect.die(new Error(`the MIME worker did not start within ${START_TIMEOUT}`)),
    }),
  );

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
