import { isReachPattern, type KeyReach } from "@postern/core/auth";
import { AccountId, hostNameOf, type OpaqueIds } from "@postern/core/shared";
import { Option } from "effect";
import type { FieldFault } from "./field-faults.ts";

const DOMAIN = "*@";
const TAG = /^tag:./;

/** Returns the reach that a client writes as ids of accounts, `*@domain` and `tag:name`, or the faults of its entries. */
export const reachOf = (
  entries: ReadonlyArray<string>,
  ids: OpaqueIds["Service"],
): { readonly reach: KeyReach; readonly faults: ReadonlyArray<FieldFault> } => {
  const read = entries.map((entry): Option.Option<string> => {
    if (TAG.test(entry)) return Option.some(entry);
    if (!entry.startsWith(DOMAIN)) return ids.account(entry);
    return Option.map(hostNameOf(entry.slice(DOMAIN.length)), (domain) => `${DOMAIN}${domain}`);
  });
  return {
    reach: [...new Set(read.flatMap(Option.toArray))],
    faults: read.flatMap((entry, n) =>
      Option.isSome(entry)
        ? []
        : [{ field: `accounts.${n}`, message: "must be the id of an account, *@ and a domain, or tag: and a tag" }],
    ),
  };
};

/** Returns a reach as clients write it. */
export const reachView = (reach: KeyReach, ids: OpaqueIds["Service"]): ReadonlyArray<string> =>
  reach.map((entry) => (isReachPattern(entry) ? entry : ids.accountId(AccountId(entry))));
