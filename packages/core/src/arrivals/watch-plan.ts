import type { AccountId } from "../shared/index.ts";
import type { AccountWatch } from "../watch/index.ts";

/** What a node is to do about its watches. */
export interface WatchPlan {
  /** No longer this node's, or more than its share. */
  readonly stop: ReadonlyArray<AccountId>;
  /** Of these, what is to be given away. */
  readonly release: ReadonlyArray<AccountId>;
  /** This node's, and not watched yet. */
  readonly begin: ReadonlyArray<AccountWatch>;
  /** How many more it may take. */
  readonly claim: number;
}

/**
 * Brings what a node watches (`running`: the epoch of each account) in line with what it holds and with its fair share,
 * ⌈accounts/nodes⌉.
 */
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
