import { Worker } from "node:worker_threads";
import { MessageUnparsable } from "@postern/core";
import { Clock, Effect, Option, type Scope, Semaphore } from "effect";
import type { JobKind, JobReply, Jobs } from "./jobs.ts";
import type { MimeSettings } from "./MimeOptions.ts";

interface Thread {
  readonly worker: Worker;
  idleSince: number;
}

/** The part of its time a job must have had to be called slow. */
const FULL_TIME = 0.9;

/** Carries a job out in a worker that nobody else uses meanwhile. */
export type RunJob = <K extends JobKind>(
  kind: K,
  input: Jobs[K]["input"],
) => Effect.Effect<Jobs[K]["answer"], MessageUnparsable>;

/**
 * A few worker threads, started when there is work and ended when there is none for a while. One that hangs or takes too
 * much memory is ended, and the next job starts another. Closed with the scope.
 */
export const workers = Effect.fnUntraced(function* (
  settings: MimeSettings,
): Effect.fn.Return<RunJob, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  const turns = yield* Semaphore.make(settings.workers);
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

  const carryOut = Effect.fnUntraced(function* <K extends JobKind>(kind: K, input: Jobs[K]["input"], asked: number) {
    const left = asked + settings.timeout - (yield* Clock.currentTimeMillis);
    // Not its own fault where others left it less than it may have.
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

  /** Its turn and the job together take no longer than a job may. */
  return (kind, input) =>
    Effect.flatMap(Clock.currentTimeMillis, (asked) =>
      Effect.acquireUseRelease(
        Effect.timeoutOption(turns.take(1), settings.timeout),
        (turn) =>
          Option.isSome(turn) ? carryOut(kind, input, asked) : Effect.fail(new MessageUnparsable({ reason: "busy" })),
        (turn) => (Option.isSome(turn) ? turns.release(1) : Effect.void),
      ),
    );
});

const start = ({ memory }: MimeSettings): Thread => {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  // Without a listener an 'error' event ends the process.
  worker.on("error", () => {});
  worker.unref();
  return { worker, idleSince: 0 };
};

const end = ({ worker }: Thread): void => void worker.terminate();

const answerOf = (worker: Worker, job: { readonly kind: JobKind; readonly input: unknown }) =>
  Effect.callback<JobReply, MessageUnparsable>((resume) => {
    const answered = (reply: JobReply) => settle(Effect.succeed(reply));
    const crashed = () => settle(Effect.fail(new MessageUnparsable({ reason: "crashed" })));
    const settle = (outcome: Effect.Effect<JobReply, MessageUnparsable>) => {
      worker.off("message", answered).off("error", crashed).off("exit", crashed);
      resume(outcome);
    };
    worker.once("message", answered).once("error", crashed).once("exit", crashed);
    worker.postMessage(job);
  });
