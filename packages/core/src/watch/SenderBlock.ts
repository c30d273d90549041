import type { AccountId } from "../shared/index.ts";

/** A sender whose arrivals are moved to Junk (spec 5.9). */
export interface SenderBlock {
  readonly id: string;
  readonly account: AccountId;
  readonly address: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}
