import type { Effect } from "effect";
import type { AccountId } from "./AccountId.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** How many things of a deleted key or application were ended, or are held until someone decides about them. */
export interface EndedData {
  /** Messages that waited to be sent. */
  readonly messages: number;
  /** Webhook endpoints. */
  readonly endpoints: number;
}

/** The data that one domain keeps of accounts (spec 3.7), and of the service keys and applications that use them. */
export interface AccountData {
  readonly name: string;
  /** Erases small data, and the rows by which larger data is found, in the transaction that removes the account. */
  readonly erase?: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  /** Erases up to `limit` rows of larger data, each call in its own transaction; false once none is left. */
  readonly eraseSlice?: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  /** Whether this domain still needs the account's mail credential. */
  readonly needsCredential?: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
  /** Ends what a service key has, in the transaction that deletes it. */
  readonly endKey?: (id: string) => Effect.Effect<Partial<EndedData>, StoreUnavailable>;
  /** Ends what an application has, in the transaction that deletes its keys and before `endKey` of each. */
  readonly endApplication?: (application: string) => Effect.Effect<Partial<EndedData>, StoreUnavailable>;
}
