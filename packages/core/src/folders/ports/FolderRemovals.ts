import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { FolderRemoval } from "../FolderRemoval.ts";

/** The worker that works on a removal, and until when no other may (epoch milliseconds). */
export interface RemovalLease {
  readonly owner: string;
  readonly until: number;
}

/** The journal of folder removals (spec 4): one per folder, worked on by one node at a time. */
export class FolderRemovals extends Context.Service<
  FolderRemovals,
  {
    /** Journals a removal; answers with the one the folder already has, if it has one. */
    readonly begin: (removal: FolderRemoval) => Effect.Effect<FolderRemoval, StoreUnavailable>;
    readonly find: (
      account: AccountId,
      folderId: string,
    ) => Effect.Effect<Option.Option<FolderRemoval>, StoreUnavailable>;
    /** Those not finished, oldest first. */
    readonly unfinished: Effect.Effect<ReadonlyArray<FolderRemoval>, StoreUnavailable>;
    /** The removal as it stands, now leased; none where another has a lease that still runs at `now`, or it is gone. */
    readonly claim: (
      id: string,
      lease: RemovalLease,
      now: number,
    ) => Effect.Effect<Option.Option<FolderRemoval>, StoreUnavailable>;
    /** Writes how far it came and renews the lease; false, and nothing written, where the lease is another's. */
    readonly save: (removal: FolderRemoval, lease: RemovalLease) => Effect.Effect<boolean, StoreUnavailable>;
    /** Gives the lease up, if it is still the owner's. */
    readonly release: (id: string, owner: string) => Effect.Effect<void, StoreUnavailable>;
    readonly forget: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets all of an account, finished or not. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets those that were finished and begun before this. */
    readonly forgetFinished: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/folders/ports/FolderRemovals") {}
