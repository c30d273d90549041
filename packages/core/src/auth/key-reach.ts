import type { AccountId } from "../shared/index.ts";

/**
 * A set of accounts. Each entry stands for one account (its address key), for all addresses of a domain (`*@domain`),
 * or for all accounts with a tag (`tag:name`).
 */
export type KeyReach = ReadonlyArray<string>;

/** The properties of an account that are compared with a reach. */
export interface ReachableAccount {
  readonly address: AccountId;
  readonly tags: ReadonlyArray<string>;
}

const DOMAIN = "*@";
const TAG = "tag:";

/** Returns whether an entry stands for a domain or a tag. */
export const isReachPattern = (entry: string): boolean => entry.startsWith(DOMAIN) || entry.startsWith(TAG);

/** Returns the entry for all addresses of the same domain. */
const domainEntryOf = (address: string): string => `*${address.slice(address.lastIndexOf("@"))}`;

/** Returns the entries of a reach grouped by kind, without `*@` and `tag:`, so that a store can search for them. */
export const partsOfReach = (
  reach: KeyReach,
): {
  readonly accounts: ReadonlyArray<string>;
  readonly domains: ReadonlyArray<string>;
  readonly tags: ReadonlyArray<string>;
} => ({
  accounts: reach.filter((entry) => !isReachPattern(entry)),
  domains: reach.filter((entry) => entry.startsWith(DOMAIN)).map((entry) => entry.slice(DOMAIN.length)),
  tags: reach.filter((entry) => entry.startsWith(TAG)).map((entry) => entry.slice(TAG.length)),
});

/** The entry that stands for a null reach (all accounts) in stores that keep reaches as entries. */
export const EVERY_ACCOUNT = "*";

/**
 * Returns the entries that match this account. A reach contains the account if it has at least one of these entries.
 */
export const entriesReaching = ({ address, tags }: ReachableAccount): KeyReach => [
  EVERY_ACCOUNT,
  address,
  domainEntryOf(address),
  ...tags.map((tag) => `${TAG}${tag}`),
];

/** Returns whether a reach contains an account; a null reach contains all accounts. */
export const reaches = (reach: KeyReach | null, { address, tags }: ReachableAccount): boolean =>
  reach === null ||
  reach.some(
    (entry) =>
      entry === address ||
      entry === domainEntryOf(address) ||
      (entry.startsWith(TAG) && tags.includes(entry.slice(TAG.length))),
  );

/**
 * Returns whether `outer` contains every account of `inner`. Only the entries are compared: a domain contains its
 * addresses, and a tag contains only itself.
 */
export const containsReach = (outer: KeyReach | null, inner: KeyReach | null): boolean =>
  outer === null ||
  (inner !== null &&
    inner.every((entry) => outer.includes(entry) || (!isReachPattern(entry) && outer.includes(domainEntryOf(entry)))));
