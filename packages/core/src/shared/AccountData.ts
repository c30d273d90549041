import type { Effect } from "effect";
import type { AccountId } from "./AccountId.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** What one domain keeps of accounts (spec 3.7). */
export interface AccountData {
  readonly name: string;
  /** Erases what is small, and what makes the account's data be found, in the transaction that removes the account. */
  readonly erase?: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  /** Erases some rows of what may be large, each call in a transaction of its own; false once nothing is left. */
  readonly eraseSlice?: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  /** Whether something of the account still needs its mail credential. */
  readonly needsCredential?: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
}
