import { problem } from "./problem.ts";

/** 404: one answer for an unknown account and one outside the reach of the key (spec 10.2). */
export class AccountNotFound extends problem<AccountNotFound>()(
  "account_not_found",
  404,
  "Account not found",
  "The credential reaches no account with this id or address. Check Postern-Account, or list the accounts with GET /api/accounts.",
) {}

/** 409: the account is paused (spec 10.2). */
export class AccountPaused extends problem<AccountPaused>()(
  "account_paused",
  409,
  "The account is paused",
  "Nothing is read or sent for a paused account. Resume it with PATCH /api/accounts/{id} and paused: false.",
) {}

/** 409, for keys: the mail server refuses the stored credential (spec 10.2). */
export class AccountNeedsReauth extends problem<AccountNeedsReauth>()(
  "account_needs_reauth",
  409,
  "The mail server refuses the password of the account",
  "The key is good, but the mail server refuses what is stored of the account. Set the current password with PATCH /api/accounts/{id}, or let its user sign in again.",
) {}
