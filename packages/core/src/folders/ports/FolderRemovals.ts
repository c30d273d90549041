import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { FolderRemoval } from "../FolderRemoval.ts";

/** The journal of folder removals (spec 4): one per folder, worked on by one node at a time. Times in epoch milliseconds. */
export class FolderRemovals extends Context.Service<
  FolderRemovals,
  {
    /** Journals a removal; answers with the one the folder already has, if it has one. */
    readonly begin: (removal: FolderRemoval) => Effect.Effect<FolderRemoval, StoreUnavailable>;
    readonly find: (
      account: AccountId,
      folderId: string,
    ) => Effect.Effect<Option.Option<FolderRemoval>, StoreUnavailable>;
    /** Those of an account that are not finished, oldest first. */
    readonly unfinished: (account: AccountId) => Effect.Effect<ReadonlyArray<FolderRemoval>, StoreUnavailable>;
    /** Leases unfinished removals that are due and not leased; earliest first, each to one claimer alone. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<FolderRemoval>, StoreUnavailable>;
    /** Leases one removal, due or not, finished or not; none where it is leased or gone. */
    readonly claimOne: (
      id: string,
      now: number,
      lease: Lease,
    ) => Effect.Effect<Option.Option<FolderRemoval>, StoreUnavailable>;
    /** Extends leases with this token; returns the ids of those that are still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Gives up leases with this token; each removal is due when it says. */
    readonly release: (ids: ReadonlyArray<string>, token: string) => Effect.Effect<void, StoreUnavailable>;
    /** Saves how far a removal came, and keeps its lease; false, and nothing is saved, where the lease was lost. */
    readonly save: (removal: FolderRemoval, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    readonly forget: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets all of an account, finished or not. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets those that were finished and begun before this. */
    readonly forgetFinished: (before: number) => Effect.Effect<void, StoreUnavailable>;
    /** When the next unfinished removal may be claimed: it is due, and no lease runs. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until a removal may be claimed earlier than was said: here, or in another process. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/folders/ports/FolderRemovals") {}
