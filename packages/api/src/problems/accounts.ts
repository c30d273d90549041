import { Checks } from "../account-records.ts";
import { FAILED_CHECKS } from "../examples/accounts.ts";
import { badRequest, problem } from "./problem.ts";

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

/** 409: a managed account with this address exists (spec 10.3). */
export class AccountExists extends problem<AccountExists>()(
  "account_exists",
  409,
  "The account exists",
  "A managed account has this address. Change it with PATCH /api/accounts/{id}, or delete it first.",
) {}

/** 409: the data of the account's last life is still being erased (spec 10.3). */
export class AccountBeingRemoved extends problem<AccountBeingRemoved>()(
  "account_being_removed",
  409,
  "The account is being removed",
  "The data that Postern stored of the account is still being erased. Repeat the request after the seconds given in Retry-After.",
) {}

/** 403: the account is, or would be, outside the reach of the key (spec 10.2). */
export class OutsideReach extends problem<OutsideReach>()(
  "outside_reach",
  403,
  "The key does not reach this account",
  "The account has to be within the `accounts` of the key, before and after the change. Use another key, address or tags.",
) {}

/** 400: one mail server serves all accounts of this deployment (spec 10.3). */
export class ServersFixed extends badRequest<ServersFixed>()(
  "servers_fixed",
  "The mail servers are fixed",
  "This deployment serves one mail server. Leave out imap and smtp, or ask its operator for ACCOUNT_SERVERS=any.",
  { field: "imap", message: "cannot be chosen in this deployment" },
) {}

/** 404: the account has no protocol log (spec 10.5). */
export class TraceNotFound extends problem<TraceNotFound>()(
  "trace_not_found",
  404,
  "The account has no protocol log",
  "No log was started, or it ended more than a day ago. Start one with POST /api/accounts/{id}/trace.",
) {}

/** 422: the mail servers did not accept the account (spec 10.3). Nothing was stored. */
export class AccountUnverified extends problem<AccountUnverified>()(
  "account_unverified",
  422,
  "The mail servers did not accept the account",
  "Nothing was stored. For each server, `checks` says whether it accepted the sign-in, why not, and what to do.",
  { checks: Checks.annotate({ examples: [FAILED_CHECKS] }) },
) {}
