import { Context } from "effect";
import type { AccountServers } from "../mail/index.ts";
import type { Follow } from "./Account.ts";

/** The operator's settings for accounts (spec 10.4). By default all accounts live on the deployment's mail server. */
export const AccountSettings = Context.Reference<{
  /**
   * `fixed`: all accounts live on `servers`. `any`: only accounts in `domains` live there; all others have their own
   * servers.
   */
  readonly mode: "fixed" | "any";
  /** `IMAP_URL` and `SMTP_URL`; null if they are not set. */
  readonly servers: AccountServers | null;
  /** `IMAP_DOMAINS`, in A-label form. */
  readonly domains: ReadonlyArray<string>;
  /**
   * `SIGN_IN_DOMAINS`, in A-label form: the domains whose addresses may sign in without an account; Postern discovers
   * the servers of these domains. `*` means all domains.
   */
  readonly signInDomains: ReadonlyArray<string>;
  /** `FOLLOW`: the folders that are followed of an account without a setting of its own. */
  readonly follow?: Follow;
  /** `BACKFILL_RATE`: the number of an account's arrivals that are announced per second after an outage. */
  readonly backfillRate?: number;
}>("@postern/core/accounts/AccountSettings", {
  defaultValue: () => ({ mode: "fixed", servers: null, domains: [], signInDomains: [] }),
});
