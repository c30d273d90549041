import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";

/** Accounts that were removed and of which rows may be left: what a process that ended leaves, another erases. */
export class AccountErasures extends Context.Service<
  AccountErasures,
  {
    /** Inside the transaction that removes the account. Begun again it is one. */
    readonly begin: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** In a transaction it stays so until that ends. */
    readonly isUnderWay: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    readonly list: Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Nothing of the account is left. */
    readonly end: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/AccountErasures") {}
