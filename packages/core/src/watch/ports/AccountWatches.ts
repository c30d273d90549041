import { Context, type Effect } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";

/** An account that this node watches. The epoch distinguishes this watch from earlier and later watches of the account. */
export interface AccountWatch {
  readonly account: AccountId;
  readonly epoch: number;
}

/** A watch that this node has just claimed. */
export interface ClaimedWatch extends AccountWatch {
  /** Whether the account was not watched by any node before. */
  readonly isFirst: boolean;
}

/** The watched accounts and their nodes (spec 7); a lease's token is the id of its node. Times in epoch milliseconds. */
export class AccountWatches extends Context.Service<
  AccountWatches,
  {
    /** Whether this is the only node. Then its leases need no renewal. */
    readonly isOursAlone: boolean;
    /** Extends the watch of an account to at least this time; false without a change if the account is not watched. */
    readonly extend: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Starts watching an account. If the account is already watched, extends the watch and returns false. */
    readonly add: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns which of these accounts are watched. */
    readonly selectWatched: (
      accounts: ReadonlyArray<AccountId>,
    ) => Effect.Effect<ReadonlySet<AccountId>, StoreUnavailable>;
    /** Records a node's heartbeat, valid until the lease ends. Returns the numbers of live nodes and watched accounts. */
    readonly beat: (
      now: number,
      node: Lease,
    ) => Effect.Effect<{ readonly nodes: number; readonly accounts: number }, StoreUnavailable>;
    /** Claims accounts that no node watches, starting with accounts that were watched before; no two callers get the same account. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ClaimedWatch>, StoreUnavailable>;
    /** Renews all leases of this token; returns the watches still held. */
    readonly renew: (lease: Lease) => Effect.Effect<ReadonlyArray<AccountWatch>, StoreUnavailable>;
    /** Returns whether the watch is still leased under this token; inside a transaction, the answer holds until the transaction ends. */
    readonly holds: (watch: AccountWatch, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Releases the leases of these accounts, so that other nodes can claim them. */
    readonly release: (accounts: ReadonlyArray<AccountId>, token: string) => Effect.Effect<void, StoreUnavailable>;
    /** Releases all leases of a node and ends its heartbeat. */
    readonly leave: (token: string) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the accounts leased under this token whose watch ends by `until`. */
    readonly findEnding: (token: string, until: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Ends the watches leased under this token that were due to end by this time; wakes the nodes if any watch ended. */
    readonly end: (
      accounts: ReadonlyArray<AccountId>,
      token: string,
      by: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Erases the watch of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Waits until an account can be claimed or a watch has ended. Changes by other nodes may be missed. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/watch/ports/AccountWatches") {}
