import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { PostponedJob } from "../parse-job-state.ts";
import type { ParseJob, ReportedRecipient } from "../ParseJob.ts";

/** Messages that may be reports, leased to the worker that reads them, and what reports said so far (spec 7). */
export class ParseJobs extends Context.Service<
  ParseJobs,
  {
    /** Jobs due at once, inside the transaction of the cursor; one that is there already is left as it is. */
    readonly insert: (jobs: ReadonlyArray<ParseJob>, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Leases jobs that are due, or whose lease ran out; earliest first, each to one claimer alone. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ParseJob>, StoreUnavailable>;
    /** Extends leases with this token; returns the ids of those that are still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Returns jobs with this token to the queue, due at `now`. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Gives a job back for later; false, and nothing is kept, where the lease was lost. */
    readonly postpone: (postponed: PostponedJob, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Ends a job; false where the lease was lost. */
    readonly finish: (id: string, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Remembers that a recipient was reported on; false where that is known already. */
    readonly report: (reported: ReportedRecipient) => Effect.Effect<boolean, StoreUnavailable>;
    /** Forgets the jobs of an account; what was reported goes with the messages it is about. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** When the next job is due or the next lease runs out. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until something may have become due earlier than was said: here, or in another process. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/bounces/ports/ParseJobs") {}
