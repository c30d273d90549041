import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { RecordedAccount } from "../protocol-log/ProtocolRecorder.ts";

/**
 * Stores the protocol logs of accounts, for all nodes (spec 10.5): for each account, the newest lines within
 * `LOG_BOUNDS`. Times in epoch milliseconds.
 */
export class ProtocolLogs extends Context.Service<
  ProtocolLogs,
  {
    /** Starts the recording of an account until this time; existing lines of its log are kept. Wakes the nodes. */
    readonly start: (account: AccountId, until: number) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the accounts whose recording runs at this time. */
    readonly listRunning: (now: number) => Effect.Effect<ReadonlyArray<RecordedAccount>, StoreUnavailable>;
    /** Returns the end of the account's recording, past or future; none without a log. */
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Appends lines written at `now`, and deletes the oldest beyond the bounds; does nothing without a log. */
    readonly append: (
      account: AccountId,
      now: number,
      lines: ReadonlyArray<string>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the lines in the order in which they were appended; the lines of one append stay together. */
    readonly lines: (account: AccountId) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Ends the log of an account and deletes its lines; false without a log. Wakes the nodes. */
    readonly erase: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes the logs that ended before this time. */
    readonly removeEnded: (before: number) => Effect.Effect<void, StoreUnavailable>;
    /** Waits until a log is started or erased. If a change by another node is missed, the wait ends within seconds. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/accounts/ports/ProtocolLogs") {}
