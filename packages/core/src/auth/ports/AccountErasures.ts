import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";

/** Stores which removed accounts may still have rows, so that any process can finish an erasure. */
export class AccountErasures extends Context.Service<
  AccountErasures,
  {
    /** Records the erasure inside the transaction that removes the account. Idempotent. */
    readonly begin: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Returns whether the account is being erased. Inside a transaction the answer holds until the transaction ends. */
    readonly isUnderWay: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    readonly list: Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Ends the erasure. No row of the account is left. */
    readonly end: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/AccountErasures") {}
