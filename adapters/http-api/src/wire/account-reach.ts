import { isReachPattern, type KeyReach } from "@postern/core/auth";
import { AccountId, type OpaqueIds } from "@postern/core/shared";

/** Returns a reach as clients write it. */
export const reachView = (reach: KeyReach, ids: OpaqueIds["Service"]): ReadonlyArray<string> =>
  reach.map((entry) => (isReachPattern(entry) ? entry : ids.accountId(AccountId(entry))));
