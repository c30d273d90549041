import { Clock, Context, DateTime, Duration, Effect, Exit, Layer, Option, Semaphore } from "effect";
import { recordOperation } from "../../audit/neighbours.ts";
import { type AccountId, type InputInvalid, type StoreUnavailable, Transaction } from "../../shared/index.ts";
import { repeatSteps, type Worker } from "../../shared/neighbours.ts";
import { Accounts } from "../Accounts.ts";
import { checkAccount } from "../check-account.ts";
import { type AccountNotFound, ProtocolLogNotFound } from "../errors.ts";
import { ProtocolLogs } from "../ports/ProtocolLogs.ts";
import { sortLines } from "./protocol-lines.ts";
import { ProtocolRecorder } from "./ProtocolRecorder.ts";

/** How long a log stays after its end. */
export const LOG_KEPT = Duration.days(1);

/** How often the lines of recorded accounts are written. */
const WRITE_EVERY = Duration.seconds(1);

/**
 * The protocol logs of accounts, for support cases (spec 10.5). Accounts are named by id or address. The worker tells
 * this node's recorder which accounts are recorded, and writes their lines. The worker sleeps while no account is
 * recorded.
 */
export class AccountProtocolLog extends Context.Service<
  AccountProtocolLog,
  {
    /** Starts to record the account's mail conversation in every process, for this many minutes; returns the end in epoch milliseconds. */
    readonly start: (
      named: string,
      minutes: number,
    ) => Effect.Effect<number, InputInvalid | AccountNotFound | StoreUnavailable>;
    /** Returns the log as text. */
    readonly text: (
      named: string,
    ) => Effect.Effect<string, InputInvalid | AccountNotFound | ProtocolLogNotFound | StoreUnavailable>;
    /** Ends the recording and deletes the log; returns the account. */
    readonly end: (
      named: string,
    ) => Effect.Effect<AccountId, InputInvalid | AccountNotFound | ProtocolLogNotFound | StoreUnavailable>;
    /** Updates which accounts this node records, and writes the recorded lines; returns the number of accounts. */
    readonly write: Effect.Effect<number, StoreUnavailable>;
    readonly worker: Worker;
  }
>()("@postern/core/accounts/AccountProtocolLog") {
  static readonly layer = Layer.effect(
    AccountProtocolLog,
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const logs = yield* ProtocolLogs;
      const recorder = yield* ProtocolRecorder;
      const transaction = yield* Transaction;
      const turn = yield* Semaphore.make(1);
      let isRecording = false;

      const write = Effect.gen(function* () {
        // Lines are written first, so that a log that has just ended gets the lines from before its end.
        const accounts = yield* recorder.waiting;
        const at = yield* Clock.currentTimeMillis;
        for (const account of accounts) {
          yield* Effect.acquireUseRelease(
            recorder.take(account),
            ({ lines }) => logs.append(account, at, lines),
            // The database may have stored the lines although the call failed, so the lines are not written again.
            (taken, exit) => (Exit.isSuccess(exit) ? Effect.void : recorder.noteLost(account, taken)),
          );
        }
        const running = yield* logs.listRunning(at);
        isRecording = running.length > 0;
        yield* recorder.follow(running);
        return accounts.length;
      }).pipe(turn.withPermits(1));

      const asleep = Effect.suspend(() =>
        isRecording ? Effect.raceFirst(logs.changed, Effect.sleep(WRITE_EVERY)) : logs.changed,
      );
      const last = Effect.ignore(write);

      const start = Effect.fn("AccountProtocolLog.start")(function* (named: string, minutes: number) {
        yield* checkAccount({ minutes });
        const { id } = yield* accounts.find(named, null);
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.minutes(minutes));
        yield* transaction.run(
          Effect.andThen(logs.start(id, until), recordOperation("accounts.startTrace", { account: id })),
        );
        yield* write;
        return until;
      });

      const text = Effect.fn("AccountProtocolLog.text")(function* (named: string) {
        const { id } = yield* accounts.find(named, null);
        yield* write;
        const until = yield* logs.find(id);
        if (Option.isNone(until)) return yield* new ProtocolLogNotFound();
        const lines = sortLines(yield* logs.lines(id));
        const now = yield* Clock.currentTimeMillis;
        return [headerOf(id, until.value, now), LEGEND, ...lines, ""].join("\n");
      });

      const end = Effect.fn("AccountProtocolLog.end")(function* (named: string) {
        const { id } = yield* accounts.find(named, null);
        const existed = yield* logs.erase(id);
        yield* write;
        if (!existed) return yield* new ProtocolLogNotFound();
        return id;
      });

      return AccountProtocolLog.of({
        start,
        text,
        end,
        write,
        worker: {
          name: "protocol logs",
          runDue: write,
          run: repeatSteps("protocol logs", Effect.andThen(write, asleep)),
          stop: Effect.void,
          drain: (within) => Effect.asVoid(Effect.timeoutOption(last, within)),
          nextDue: Effect.succeedNone,
        },
      });
    }),
  );
}

const headerOf = (account: string, until: number, now: number): string =>
  `# Protocol log of ${account}, ${now < until ? "recorded until" : "ended at"} ${DateTime.formatIso(DateTime.makeUnsafe(until))}`;

const LEGEND =
  "# time, node, connection, then C: from Postern, S: from the mail server, *: about the connection. " +
  "<n removed> stands for n bytes that are not shown.";
