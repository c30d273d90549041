import { Duration, Effect, Queue, Semaphore } from "effect";
import { StoreUnavailable } from "../shared/index.ts";
import { repeatSteps, type Worker } from "../shared/neighbours.ts";
import type { AuditedOperation, AuditEntry } from "./AuditEntry.ts";
import type { AuditEntries } from "./ports/AuditEntries.ts";
import { AUDITED_CALLS } from "./rules.ts";

/** How long lines wait for others of the same batch, and the maximum size of a batch. */
const WRITE_AFTER = Duration.millis(250);
const AT_ONCE = 100;

/** The maximum number of waiting lines of one key or grant. */
const MAX_WAITING = 256;

/** The maximum number of ids in a line. */
const MAX_IDS = 100;

/**
 * The form of the ids of messages, drafts, approvals and sent messages. The form bounds the length, because an agent
 * may write any text as an id.
 */
const ID = /^(?:[a-z]{3}_)?[\w-]{22}$/;

/** Returns the values that have the form of an id of this service, each once. */
export const knownIds = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  [...new Set(values.filter((one): one is string => typeof one === "string" && ID.test(one)))].slice(0, MAX_IDS);

/** Returns the audited operation for the name of a tool. */
export const callOf = (tool: string): AuditedOperation =>
  AUDITED_CALLS.find((operation) => operation === `mcp.${tool}`) ?? "mcp.other";

/**
 * The lines of calls that wait to be written, and the worker that writes them (spec 8.7). Each key or grant has its own
 * limit of waiting lines. A failed write is repeated; a crash loses the waiting lines.
 */
export const callLines = Effect.fnUntraced(function* (insert: AuditEntries["Service"]["insert"]) {
  const turn = yield* Semaphore.make(1);
  const added = yield* Queue.sliding<void>(1);
  const waiting: Array<AuditEntry> = [];
  const counts = new Map<string | null, number>();

  const count = (key: string | null, by: number): void => {
    const now = (counts.get(key) ?? 0) + by;
    if (now > 0) counts.set(key, now);
    else counts.delete(key);
  };

  const write = Effect.gen(function* () {
    let written = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, AT_ONCE);
      yield* insert(batch);
      for (const { key } of waiting.splice(0, batch.length)) count(key, -1);
      written += batch.length;
    }
    return written;
  }).pipe(turn.withPermits(1));

  const awaitAdded = Effect.suspend(() => (waiting.length > 0 ? Effect.void : Queue.take(added)));
  const step = Effect.andThen(Effect.andThen(awaitAdded, Effect.sleep(WRITE_AFTER)), write);
  const last = Effect.ignore(write);

  return {
    checkRoom: (key: string) =>
      Effect.suspend(() =>
        (counts.get(key) ?? 0) < MAX_WAITING
          ? Effect.void
          : Effect.fail(new StoreUnavailable({ detail: "too many lines of this key wait for the database" })),
      ),
    add: (key: string, line: AuditEntry) =>
      Effect.suspend(() => {
        waiting.push(line);
        count(key, 1);
        return Effect.asVoid(Queue.offer(added, undefined));
      }),
    worker: {
      name: "audit of calls",
      runDue: write,
      run: repeatSteps("audit of calls", step),
      stop: Effect.void,
      drain: (within) => Effect.asVoid(Effect.timeoutOption(last, within)),
      nextDue: Effect.succeedNone,
    } satisfies Worker,
  };
});
