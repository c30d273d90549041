import type { AccountId, Lease } from "../shared/index.ts";

/** An `Idempotency-Key` that was used to create something (spec 2.6). Times in epoch milliseconds. */
export interface CreationRecord {
  /** The sender of the request, and the account that it is about. */
  readonly caller: string;
  readonly key: string;
  /** SHA-256 of the first request with this key. */
  readonly requestHash: string;
  /** The account with which the record is erased; null if it belongs to none. */
  readonly account: AccountId | null;
  /** The id of what was created. While the record is leased: how the mail server's copy is recognised. */
  readonly resource: string;
  readonly createdAt: number;
  /** Held while a request creates it on a mail server; null once it exists. */
  readonly lease: Lease | null;
}
