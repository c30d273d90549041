import type { AccountId } from "../shared/index.ts";

/** A set of accounts: each entry is the key of an account, all addresses of a domain (`*@domain`), or a `tag:name`. */
export type KeyReach = ReadonlyArray<string>;

/** The properties of an account that a reach is compared with. */
export interface ReachableAccount {
  readonly address: AccountId;
  readonly tags: ReadonlyArray<string>;
}

const TAG = "tag:";

const isPattern = (entry: string): boolean => entry.startsWith("*@") || entry.startsWith(TAG);

/** Returns the entry for all addresses of the same domain. */
const domainEntryOf = (address: string): string => `*${address.slice(address.lastIndexOf("@"))}`;

/** Whether a reach contains an account; null contains all. */
export const reaches = (reach: KeyReach | null, { address, tags }: ReachableAccount): boolean =>
  reach === null ||
  reach.some(
    (entry) =>
      entry === address ||
      entry === domainEntryOf(address) ||
      (entry.startsWith(TAG) && tags.includes(entry.slice(TAG.length))),
  );

/**
 * Whether `outer` contains every account of `inner`, decided by the entries alone: an address is in its domain, and a
 * tag only in the same tag.
 */
export const containsReach = (outer: KeyReach | null, inner: KeyReach | null): boolean =>
  outer === null ||
  (inner !== null &&
    inner.every((entry) => outer.includes(entry) || (!isPattern(entry) && outer.includes(domainEntryOf(entry)))));
