import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { FolderRemoval } from "../FolderRemoval.ts";

/** The journal of folder removals (spec 4). A folder has at most one removal, and one node at a time executes it. Times in epoch milliseconds. */
export class FolderRemovals extends Context.Service<
  FolderRemovals,
  {
    /** Journals a removal and wakes workers; returns the existing removal if the folder has one. */
    readonly begin: (removal: FolderRemoval) => Effect.Effect<FolderRemoval, StoreUnavailable>;
    readonly find: (
      account: AccountId,
      folderId: string,
    ) => Effect.Effect<Option.Option<FolderRemoval>, StoreUnavailable>;
    /** Returns the unfinished removals of an account, oldest first. */
    readonly unfinished: (account: AccountId) => Effect.Effect<ReadonlyArray<FolderRemoval>, StoreUnavailable>;
    /** Claims unfinished removals that are due and not leased, earliest first; no two callers get the same removal. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<FolderRemoval>, StoreUnavailable>;
    /** Claims one removal, due or not, finished or not; none if it is leased or no longer exists. */
    readonly claimOne: (
      id: string,
      now: number,
      lease: Lease,
    ) => Effect.Effect<Option.Option<FolderRemoval>, StoreUnavailable>;
    /** Renews the leases of this token; returns the ids of the removals still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Releases the leases of this token; the due times of the removals stay. */
    readonly release: (ids: ReadonlyArray<string>, token: string) => Effect.Effect<void, StoreUnavailable>;
    /** Saves a removal's progress and keeps its lease; false without a change if the lease was lost. */
    readonly save: (removal: FolderRemoval, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    readonly forget: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Erases all removals of an account, finished or not. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Deletes finished removals that began before this time. */
    readonly forgetFinished: (before: number) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the time from which the next unfinished removal can be claimed: it is due and not leased. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until this or another process may have made a removal claimable earlier than `nextDue` returned. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/folders/ports/FolderRemovals") {}
