import type { Effect } from "effect";
import type { AccountId } from "./AccountId.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** The numbers of records that ended together with a key or an application; held messages count as ended. */
export interface EndedData {
  /** The number of messages that waited to be sent. */
  readonly messages: number;
  /** The number of webhook endpoints. */
  readonly endpoints: number;
  /** The number of links with which a user could still connect an account. */
  readonly links: number;
  /** The number of agents' grants. */
  readonly grants: number;
}

/** The data of one domain that ended with a key or an application. */
interface DomainEnd extends Partial<EndedData> {
  /** The accounts whose mail credential the domain may no longer need. */
  readonly accounts?: ReadonlyArray<AccountId>;
}

/** The action on the waiting messages of a deleted key or application: send, hold or cancel. */
export type WaitingMail = "keep" | "hold" | "cancel";

/** The data that one domain stores about accounts (spec 3.7), and about service keys and applications. */
export interface AccountData {
  readonly name: string;
  /** Erases small data, and the rows that make larger data accessible, in the transaction that removes the account. */
  readonly erase?: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  /** Erases up to `limit` rows of larger data, each call in its own transaction; false once none is left. */
  readonly eraseSlice?: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  /** Returns whether this domain still needs the account's mail credential; `now` in epoch milliseconds. */
  readonly needsCredential?: (account: AccountId, now: number) => Effect.Effect<boolean, StoreUnavailable>;
  /** Ends the data of a service key, in the transaction that deletes the key. */
  readonly endKey?: (id: string, mail: WaitingMail) => Effect.Effect<DomainEnd, StoreUnavailable>;
  /** Ends the data of an application, in the transaction that deletes its keys and before `endKey` of each. */
  readonly endApplication?: (application: string, mail: WaitingMail) => Effect.Effect<DomainEnd, StoreUnavailable>;
  /** Holds the messages and deliveries of an application that is suspended, and releases them when it is resumed; may be repeated. */
  readonly setSuspended?: (application: string, isSuspended: boolean) => Effect.Effect<void, StoreUnavailable>;
}
