import { Context } from "effect";
import type { AccountServers } from "../mail/index.ts";

/** The operator's settings for accounts (spec 10.4). */
export class AccountSettings extends Context.Service<
  AccountSettings,
  {
    /** `fixed`: all accounts live on `servers`. `any`: only those of `domains` do; others have their own. */
    readonly mode: "fixed" | "any";
    /** `IMAP_URL` and `SMTP_URL`; null: not set, or the sandbox. */
    readonly servers: AccountServers | null;
    /** `IMAP_DOMAINS`, in A-label form. */
    readonly domains: ReadonlyArray<string>;
    /** `SIGN_IN_DOMAINS`, in A-label form: who may sign in without an account, by discovery; `*` means every address. */
    readonly signInDomains: ReadonlyArray<string>;
  }
>()("@postern/core/accounts/AccountSettings") {}
