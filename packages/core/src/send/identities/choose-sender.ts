import { Effect, Option, Result } from "effect";
import type { AccountDirectory } from "../../accounts/index.ts";
import { type AccountId, accountIdOf, hostNameOf, InputInvalid, type OpaqueIds } from "../../shared/index.ts";
import { addressKey } from "../../mail/index.ts";
import { parseMailbox } from "../addresses.ts";
import { SenderNotAllowed } from "../errors.ts";
import type { IdentityRecords } from "../ports/IdentityRecords.ts";
import type { NamedAddress } from "../SendRequest.ts";
import type { IdentityRecord } from "./Identity.ts";
import { BLANK } from "./identity-fields.ts";
import type { Sender } from "./Sender.ts";

/** Returns the sender for the id of an identity or an address in a request; by default the default identity. */
export const chooseSender = (
  known: readonly [own: IdentityRecord, ...others: ReadonlyArray<IdentityRecord>],
  from: string | NamedAddress | undefined,
  policy: SenderPolicy,
): Result.Result<Sender, SenderNotAllowed | InputInvalid> => {
  const isId = (one: IdentityRecord) => one.id === from;
  if (from === undefined || known.some(isId)) {
    const identity = known.find(from === undefined ? ({ isDefault }) => isDefault : isId) ?? known[0];
    return senderOf(policy, identity, identity.name);
  }
  const parsed = parseMailbox(from);
  if (Result.isFailure(parsed)) {
    const message = `${parsed.failure}, or an identity's id`;
    return Result.fail(new InputInvalid({ errors: [{ field: "from", message }] }));
  }
  const { name, address } = parsed.success;
  const identity = known.find((one) => addressKey(one.address) === addressKey(address));
  if (identity === undefined) return Result.fail(new SenderNotAllowed());
  return senderOf(policy, identity, name === "" ? identity.name : name);
};

/**
 * Returns an identity with its name in From as a sender; fails unless the identity is verified and the operator allows
 * its address.
 */
const senderOf = (
  policy: SenderPolicy,
  { address, replyTo, verification }: IdentityRecord,
  name: string,
): Result.Result<Sender, SenderNotAllowed> =>
  verification === null && mayBeSender(policy, address)
    ? Result.succeed({
        from: { name, address },
        replyTo: replyTo === null ? [] : [{ name: "", address: replyTo }],
      })
    : Result.fail(new SenderNotAllowed());

/** The addresses and domains that may not send (`SENDER_BLOCKLIST`, spec 1). */
export interface SenderPolicy {
  readonly blockedAddresses: ReadonlySet<string>;
  readonly blockedDomains: ReadonlySet<string>;
}

/** Parses addresses and `@domains`; returns the text of the first entry that is neither. */
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
 * The aliases that an account may add (`SENDER_ALIASES`, spec 12.2). `verified`: addresses that a mailed link verified.
 * `any`: all addresses, of which the mail server refuses the wrong ones.
 */
export const SENDER_ALIASES = ["verified", "any"] as const;
export type SenderAliases = (typeof SENDER_ALIASES)[number];

export const maySend = ({ blockedAddresses, blockedDomains }: SenderPolicy, account: AccountId): boolean =>
  !blockedAddresses.has(account) && !blockedDomains.has(account.slice(account.lastIndexOf("@") + 1));

/** Returns whether the operator allows this address as a sender. */
export const mayBeSender = (policy: SenderPolicy, address: string): boolean =>
  Option.exists(accountIdOf(address), (key) => maySend(policy, key));

/**
 * Returns the identities of an account, its own first. The account's own identity has the account's id, and is stored
 * only after its settings were changed.
 */
export const identitiesOf = Effect.fnUntraced(function* (
  stores: {
    readonly records: IdentityRecords["Service"];
    readonly directory: AccountDirectory["Service"];
    readonly ids: OpaqueIds["Service"];
  },
  account: AccountId,
) {
  const stored = yield* stores.records.list(account);
  const id = stores.ids.accountId(account);
  const known = yield* stores.directory.find(account);
  const name = Option.getOrUndefined(known)?.name ?? "";
  const isDefault = stored.every((one) => one.id === id || !one.isDefault);
  const own = stored.find((one) => one.id === id) ?? { ...BLANK, id, account, address: account };
  return [{ ...own, name, isDefault }, ...stored.filter((one) => one.id !== id)] as const;
});
