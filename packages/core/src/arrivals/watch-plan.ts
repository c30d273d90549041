import type { AccountId } from "../shared/index.ts";
import type { AccountWatch } from "../watch/index.ts";

/** The actions that a node must take on its watches. */
export interface WatchPlan {
  /** The accounts that the node must stop watching, because it lost their lease or has more than its share. */
  readonly stop: ReadonlyArray<AccountId>;
  /** The accounts above the node's share; their leases are released. */
  readonly release: ReadonlyArray<AccountId>;
  /** Accounts that the node holds but does not watch yet. */
  readonly begin: ReadonlyArray<AccountWatch>;
  /** The number of further accounts to claim. */
  readonly claim: number;
}

/** Returns the actions that align a node's running watches (account and epoch) with its leases and its fair share, ⌈accounts/nodes⌉. */
export const watchPlan = (
  running: ReadonlyMap<AccountId, number>,
  held: ReadonlyArray<AccountWatch>,
  accounts: number,
  nodes: number,
): WatchPlan => {
  const share = Math.ceil(accounts / Math.max(1, nodes));
  const kept = held.slice(0, share);
  const release = held.slice(share).map(({ account }) => account);
  const keptEpochs = new Map(kept.map(({ account, epoch }) => [account, epoch]));
  return {
    stop: [...running].flatMap(([account, epoch]) => (keptEpochs.get(account) === epoch ? [] : [account])),
    release,
    begin: kept.filter(({ account, epoch }) => running.get(account) !== epoch),
    claim: Math.max(0, share - held.length),
  };
};
