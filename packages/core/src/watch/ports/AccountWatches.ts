import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";

/** An account this node watches; the epoch tells it from watches before and after. */
export interface AccountWatch {
  readonly account: AccountId;
  readonly epoch: number;
}

/** Which accounts are watched, and by which node (spec 7). Times in epoch milliseconds. */
export class AccountWatches extends Context.Service<
  AccountWatches,
  {
    /** Whether no other node can be there: leases then need no renewing. */
    readonly isOursAlone: boolean;
    /** Has an account watched until then at least; false, and nothing done, where it is not watched. */
    readonly extend: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Has an account watched from now on; false where it is already, which then goes on until then at least. */
    readonly add: (account: AccountId, until: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Says that a node lives, until it says so again. How many do, and how many accounts there are to watch. */
    readonly beat: (
      node: string,
      now: number,
      until: number,
    ) => Effect.Effect<{ readonly nodes: number; readonly accounts: number }, StoreUnavailable>;
    /** Leases accounts that no node watches; each goes to one node. */
    readonly claim: (
      node: string,
      now: number,
      until: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AccountWatch>, StoreUnavailable>;
    /** All that is still this node's, leased until then. */
    readonly renew: (node: string, until: number) => Effect.Effect<ReadonlyArray<AccountWatch>, StoreUnavailable>;
    /** Whether the watch is still this node's; in a transaction it stays so until that ends. */
    readonly holds: (node: string, watch: AccountWatch) => Effect.Effect<boolean, StoreUnavailable>;
    /** Releases accounts of this node, so that other nodes can claim them. */
    readonly release: (node: string, accounts: ReadonlyArray<AccountId>) => Effect.Effect<void, StoreUnavailable>;
    /** Gives up all of this node's, which no longer lives. */
    readonly leave: (node: string) => Effect.Effect<void, StoreUnavailable>;
    /** The accounts of this node that are to be watched no longer than until then. */
    readonly ending: (node: string, until: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Ends watches of this node whose time was over by then. */
    readonly end: (
      node: string,
      accounts: ReadonlyArray<AccountId>,
      by: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets that the account is watched. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Waits until an account may have lost its node or stopped being watched; may miss what another node did. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/watch/ports/AccountWatches") {}
