import type { AccountId } from "../shared/AccountId.ts";

/** A file an account uploaded to send (decisions 6). */
export interface Upload {
  readonly id: string;
  readonly account: AccountId;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}
