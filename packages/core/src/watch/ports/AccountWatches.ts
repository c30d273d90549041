import { Context, type Effect } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";

/** An account that this node watches; the epoch tells this watch from earlier and later ones. */
export interface AccountWatch {
  readonly account: AccountId;
  readonly epoch: number;
}

/** A watch that this node has just claimed. */
export interface ClaimedWatch extends AccountWatch {
  /** Whether no node had this watch before. */
  readonly isFirst: boolean;
}

/**
 * The watched accounts and their nodes (spec 7); a lease's token is the id of its node. Times in epoch milliseconds.
 */
export class AccountWatches extends Context.Service<
  AccountWatches,
  {
    /** Whether this is the only node; its leases then need no renewal. */
    readonly isOursAlone: boolean;
    /** Extends the watch of an account until then at least; false, with nothing done, if it is not watched. */
    readonly extend: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Starts watching an account; false if it is watched already, and then extends the watch. */
    readonly add: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns those of these accounts that are watched. */
    readonly selectWatched: (
      accounts: ReadonlyArray<AccountId>,
    ) => Effect.Effect<ReadonlySet<AccountId>, StoreUnavailable>;
    /**
     * Records a node's heartbeat, valid until the lease ends. Returns the numbers of live nodes and watched accounts.
     */
    readonly beat: (
      now: number,
      node: Lease,
    ) => Effect.Effect<{ readonly nodes: number; readonly accounts: number }, StoreUnavailable>;
    /** Claims accounts that no node watches, each for one caller only; accounts that were watched before come first. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ClaimedWatch>, StoreUnavailable>;
    /** Renews all leases of this token; returns the watches still held. */
    readonly renew: (lease: Lease) => Effect.Effect<ReadonlyArray<AccountWatch>, StoreUnavailable>;
    /** Whether the watch is still leased under this token; inside a transaction that holds until its end. */
    readonly holds: (watch: AccountWatch, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Releases the leases of these accounts, for other nodes to claim. */
    readonly release: (accounts: ReadonlyArray<AccountId>, token: string) => Effect.Effect<void, StoreUnavailable>;
    /** Releases all leases of a node and ends its heartbeat. */
    readonly leave: (token: string) => Effect.Effect<void, StoreUnavailable>;
    /** The accounts leased under this token whose watch ends by `until`. */
    readonly findEnding: (token: string, until: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Ends the watches leased under this token that were due to end by then; wakes the nodes if there was one. */
    readonly end: (
      accounts: ReadonlyArray<AccountId>,
      token: string,
      by: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Erases the watch of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Waits until an account can be claimed or a watch has ended; may miss changes by other nodes. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/watch/ports/AccountWatches") {}
