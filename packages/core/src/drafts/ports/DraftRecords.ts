import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { Draft } from "../Draft.ts";

/** The store of drafts (spec 12.1). A draft that is being sent is leased to the worker that follows its sending. */
export class DraftRecords extends Context.Service<
  DraftRecords,
  {
    /** Adds a draft; false if a draft with this id exists. */
    readonly insert: (draft: Draft) => Effect.Effect<boolean, StoreUnavailable>;
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<Draft>, StoreUnavailable>;
    /** Returns the drafts of an account that are not sent, latest save first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Draft>, StoreUnavailable>;
    /**
     * Replaces a draft by the result of `decide`; concurrent changes wait. A change of `checkAt` ends the lease. None
     * if the account has no such draft.
     */
    readonly change: <A>(
      account: AccountId,
      id: string,
      decide: (draft: Draft) => readonly [A, Draft],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    readonly remove: (account: AccountId, id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Claims drafts whose `checkAt` passed or whose lease expired, earliest first; no two callers get the same draft. */
    readonly claim: (now: number, lease: Lease, limit: number) => Effect.Effect<ReadonlyArray<Draft>, StoreUnavailable>;
    /** Renews the leases of this token; returns the ids of the drafts still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Releases drafts leased under this token, due at `now`. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the time at which the next draft can be claimed or the next lease expires. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until this or another process may have made a draft due earlier than `nextDue` returned. */
    readonly changed: Effect.Effect<void>;
    /** Returns whether the account has a draft that is being sent or whose copies are to be removed. */
    readonly hasUnfinished: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Deletes up to `limit` drafts without a copy that were saved before `before`: sent drafts, and drafts whose first
     * save failed. Returns their ids.
     */
    readonly forget: (before: number, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Erases up to `limit` drafts of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/drafts/ports/DraftRecords") {}
