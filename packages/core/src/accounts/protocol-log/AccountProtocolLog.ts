import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import { Accounts } from "../Accounts.ts";
import { type AccountNotFound, ProtocolLogNotFound } from "../errors.ts";
import { ProtocolLogs } from "../ports/ProtocolLogs.ts";
import { inOrder } from "./protocol-lines.ts";
import { ProtocolLogWriter } from "./ProtocolLogWriter.ts";

/** How long a log stays after its end. */
export const LOG_KEPT = Duration.days(1);

/** The protocol log of an account, for support cases (spec 10.5). Accounts are named by id or address. */
export class AccountProtocolLog extends Context.Service<
  AccountProtocolLog,
  {
    /** Records the account's mail conversation for this time, in every process; returns the end in epoch milliseconds. */
    readonly start: (
      named: string,
      length: Duration.Duration,
    ) => Effect.Effect<number, AccountNotFound | StoreUnavailable>;
    /** Returns the log as text. */
    readonly text: (named: string) => Effect.Effect<string, AccountNotFound | ProtocolLogNotFound | StoreUnavailable>;
    /** Ends the recording and deletes the log; returns the account. */
    readonly end: (named: string) => Effect.Effect<AccountId, AccountNotFound | ProtocolLogNotFound | StoreUnavailable>;
  }
>()("@postern/core/accounts/AccountProtocolLog") {
  static readonly layer = Layer.effect(
    AccountProtocolLog,
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const logs = yield* ProtocolLogs;
      const writer = yield* ProtocolLogWriter;

      const start = Effect.fn("AccountProtocolLog.start")(function* (named: string, length: Duration.Duration) {
        const { id } = yield* accounts.find(named, null);
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(length);
        yield* logs.start(id, until);
        yield* writer.now;
        return until;
      });

      const text = Effect.fn("AccountProtocolLog.text")(function* (named: string) {
        const { id } = yield* accounts.find(named, null);
        yield* writer.now;
        const until = yield* logs.find(id);
        if (Option.isNone(until)) return yield* new ProtocolLogNotFound();
        const lines = inOrder(yield* logs.lines(id));
        const now = yield* Clock.currentTimeMillis;
        return [headerOf(id, until.value, now), LEGEND, ...lines, ""].join("\n");
      });

      const end = Effect.fn("AccountProtocolLog.end")(function* (named: string) {
        const { id } = yield* accounts.find(named, null);
        const existed = yield* logs.erase(id);
        yield* writer.now;
        if (!existed) return yield* new ProtocolLogNotFound();
        return id;
      });

      return AccountProtocolLog.of({ start, text, end });
    }),
  );
}

const headerOf = (account: string, until: number, now: number): string =>
  `# Protocol log of ${account}, ${now < until ? "recorded until" : "ended at"} ${DateTime.formatIso(DateTime.makeUnsafe(until))}`;

const LEGEND =
  "# time, node, connection, then C: from Postern, S: from the mail server, *: about the connection. " +
  "<n removed> stands for n bytes that are not shown.";
