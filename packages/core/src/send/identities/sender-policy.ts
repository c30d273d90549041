import { Option } from "effect";
import { type AccountId, accountIdOf, hostNameOf } from "../../shared/index.ts";

/** The addresses and domains that may not send (`SENDER_BLOCKLIST`, spec 1). */
export interface SenderPolicy {
  readonly blockedAddresses: ReadonlySet<string>;
  readonly blockedDomains: ReadonlySet<string>;
}

/** Parses addresses and `@domains`; returns the first entry that is neither as text. */
export const senderPolicyOf = (entries: ReadonlyArray<string>): SenderPolicy | string => {
  const [blockedAddresses, blockedDomains] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    const isDomain = entry.startsWith("@");
    const read = isDomain ? hostNameOf(entry.slice(1)) : accountIdOf(entry);
    if (Option.isNone(read)) return entry;
    (isDomain ? blockedDomains : blockedAddresses).add(read.value);
  }
  return { blockedAddresses, blockedDomains };
};

/**
 * Which addresses an account may add as senders (`SENDER_ALIASES`, spec 12.2): those verified by a link in a mail to them,
 * or any, where the mail server decides.
 */
export const SENDER_ALIASES = ["verified", "any"] as const;
export type SenderAliases = (typeof SENDER_ALIASES)[number];

export const maySend = ({ blockedAddresses, blockedDomains }: SenderPolicy, account: AccountId): boolean =>
  !blockedAddresses.has(account) && !blockedDomains.has(account.slice(account.lastIndexOf("@") + 1));

/** Whether the operator lets messages name this address as their sender. */
export const mayBeSender = (policy: SenderPolicy, address: string): boolean =>
  Option.exists(accountIdOf(address), (key) => maySend(policy, key));
