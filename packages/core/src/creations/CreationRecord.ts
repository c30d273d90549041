import type { AccountId, Lease } from "../shared/index.ts";

/** An `Idempotency-Key` that a request used to create a resource (spec 2.6). Times in epoch milliseconds. */
export interface CreationRecord {
  /** The sender of the request, and the account that the request concerns. */
  readonly caller: string;
  readonly key: string;
  /** SHA-256 of the first request with this key. */
  readonly requestHash: string;
  /** The account whose erasure erases the record; null if the record belongs to no account. */
  readonly account: AccountId | null;
  /** The id of the created resource. While the record is leased, a value that identifies the copy on the mail server. */
  readonly resource: string;
  readonly createdAt: number;
  /** The lease of the request that creates the resource on a mail server; null once the resource exists. */
  readonly lease: Lease | null;
}
