import type { AccountId, OpaqueIds } from "../shared/index.ts";

/** The account of an event, as its body names it (spec 7.1). */
export interface EventAccount {
  /** The outside id, `acc_…`. */
  readonly id: string;
  readonly email: AccountId;
}

/** Returns an account as the bodies of its events name it. */
export const eventAccount = (ids: OpaqueIds["Service"], account: AccountId): EventAccount => ({
  id: ids.accountId(account),
  email: account,
});
