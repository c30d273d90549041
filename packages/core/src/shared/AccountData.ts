import type { Effect } from "effect";
import type { AccountId } from "./AccountId.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** The data that one domain keeps of accounts (spec 3.7). */
export interface AccountData {
  readonly name: string;
  /** Erases small data, and the rows by which larger data is found, in the transaction that removes the account. */
  readonly erase?: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  /** Erases up to `limit` rows of larger data, each call in its own transaction; false once none is left. */
  readonly eraseSlice?: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  /** Whether this domain still needs the account's mail credential. */
  readonly needsCredential?: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
}
