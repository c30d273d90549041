import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { PostponedJob } from "../parse-job-state.ts";
import type { ParseJob, ReportedRecipient } from "../ParseJob.ts";

/** The queue of messages that may be reports, and the record of reported recipients (spec 7). */
export class ParseJobs extends Context.Service<
  ParseJobs,
  {
    /** Inserts jobs that are due at once, in the transaction that saves the cursor; skips existing jobs. */
    readonly insert: (jobs: ReadonlyArray<ParseJob>, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Claims jobs that are due or whose lease expired, earliest first; no two callers get the same job. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ParseJob>, StoreUnavailable>;
    /** Renews the leases of this token; returns the ids of the jobs still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Releases jobs leased under this token, due at `now`. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Postpones a job and releases its lease; false without a change if the lease was lost. */
    readonly postpone: (postponed: PostponedJob, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes a job; false if the lease was lost. */
    readonly finish: (id: string, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records a report about a recipient; false if the report is already recorded. */
    readonly report: (reported: ReportedRecipient) => Effect.Effect<boolean, StoreUnavailable>;
    /** Erases the jobs of an account; reported recipients are erased with their messages. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the time at which the next job falls due or the next lease expires. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until this or another process may have made a job due earlier than `nextDue` returned. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/bounces/ports/ParseJobs") {}
