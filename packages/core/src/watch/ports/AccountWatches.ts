import { Context, type Effect } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";

/** An account this node watches; the epoch tells it from watches before and after. */
export interface AccountWatch {
  readonly account: AccountId;
  readonly epoch: number;
}

/** Which accounts are watched, and by which node (spec 7); the token of a lease is the id of its node. Times in epoch milliseconds. */
export class AccountWatches extends Context.Service<
  AccountWatches,
  {
    /** Whether no other node can be there: leases then need no renewing. */
    readonly isOursAlone: boolean;
    /** Has an account watched until then at least; false, and nothing done, where it is not watched. */
    readonly extend: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Has an account watched from now on; false where it is already, which then goes on until then at least. */
    readonly add: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records the heartbeat of a node, which counts until the lease ends. Returns how many nodes and watched accounts there are. */
    readonly beat: (
      now: number,
      node: Lease,
    ) => Effect.Effect<{ readonly nodes: number; readonly accounts: number }, StoreUnavailable>;
    /** Leases accounts that no node watches; each goes to one claimer. */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AccountWatch>, StoreUnavailable>;
    /** Extends all leases with this token; returns the watches that are still held. */
    readonly renew: (lease: Lease) => Effect.Effect<ReadonlyArray<AccountWatch>, StoreUnavailable>;
    /** Whether the watch is still leased with this token; in a transaction it stays so until that ends. */
    readonly holds: (watch: AccountWatch, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Gives up the leases of accounts with this token, for other nodes to claim. */
    readonly release: (accounts: ReadonlyArray<AccountId>, token: string) => Effect.Effect<void, StoreUnavailable>;
    /** Gives up all leases with this token, whose node no longer lives. */
    readonly leave: (token: string) => Effect.Effect<void, StoreUnavailable>;
    /** The accounts leased with this token that are to be watched no longer than until then. */
    readonly ending: (token: string, until: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Ends watches leased with this token whose time was over by then. */
    readonly end: (
      accounts: ReadonlyArray<AccountId>,
      token: string,
      by: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets that the account is watched. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Waits until an account may be claimed, or one less is watched; may miss what another node did. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/watch/ports/AccountWatches") {}
