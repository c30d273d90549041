import type { AccountId } from "../shared/AccountId.ts";

/** A sign-in that lasts: everything a token needs to be believed is looked up here. Times are epoch milliseconds. */
export interface Session {
  readonly id: string;
  readonly account: AccountId;
  readonly createdAt: number;
  /** Moves on with each use of the refresh token, never past `absoluteExpiresAt`. */
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
  readonly endedAt: number | null;
}
