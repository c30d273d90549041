import type { AccountServers } from "../mail/index.ts";
import type { Account, Follow } from "./Account.ts";

/** An account as its managers see it. */
export interface AccountDetails {
  readonly account: Account;
  /** The servers on which the account lives; null if none is known. */
  readonly servers: AccountServers | null;
  /** Whether Postern watches the account and announces its new mail. */
  readonly isWatched: boolean;
  readonly follow: Follow;
}
