import { Checks } from "../records/account-records.ts";
import { FAILED_CHECKS } from "../examples/accounts.ts";
import { badRequest, problem } from "./problem.ts";

/** 404: the account is unknown or outside the reach of the key; the answer does not tell which (spec 10.2). */
export class AccountNotFound extends problem<AccountNotFound>()(
  "account_not_found",
  404,
  "Account not found",
  "The credential reaches no account with this id or address. Check Postern-Account, or list the accounts with GET /api/accounts.",
) {}

/** 409: the account has another version (spec 2.7). */
export class AccountChanged extends problem<AccountChanged>()(
  "account_changed",
  409,
  "The account was changed meanwhile",
  "Nothing was changed: the account no longer has the version in If-Match. Read it with GET /api/accounts/{id}, then repeat the request with its version.",
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
  "The key is valid, but the mail server refuses the stored credential of the account. Set the current password with " +
    "PATCH /api/accounts/{id}, or let its user sign in again.",
) {}

/** 409: a managed account with this address exists (spec 10.3). */
export class AccountExists extends problem<AccountExists>()(
  "account_exists",
  409,
  "The account exists",
  "A managed account has this address. Change it with PATCH /api/accounts/{id}, or delete it first.",
) {}

/** 409: the data of a removed account with this address is still being erased (spec 10.3). */
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

/** 400: the account lives on the mail servers of the deployment (spec 10.3). */
export class ServersFixed extends badRequest<ServersFixed>()(
  "servers_fixed",
  "The operator chooses the mail servers",
  "The operator chose the servers of this address, by IMAP_DOMAINS or because the deployment serves one mail server. " +
    "Leave out imap and smtp.",
  { field: "imap", message: "cannot be chosen for this address" },
) {}

/** 404: the account has no protocol log (spec 10.5). */
export class TraceNotFound extends problem<TraceNotFound>()(
  "trace_not_found",
  404,
  "The account has no protocol log",
  "No log was started, or it ended more than a day ago. Start one with POST /api/accounts/{id}/trace.",
) {}

/** 422: a stored credential is sent only to servers that accepted it (spec 10.3). Nothing was sent or stored. */
export class CredentialRequired extends problem<CredentialRequired>()(
  "credential_required",
  422,
  "These servers need a new credential",
  "The stored password or token is shown only to the servers that accepted it. Give the password for imap and smtp in the same request, or let the user consent again with POST /api/accounts/connect. Nothing was sent or stored.",
) {}

/** 422: the mail servers did not accept the account (spec 10.3). Nothing was stored. */
export class AccountUnverified extends problem<AccountUnverified>()(
  "account_unverified",
  422,
  "The mail servers did not accept the account",
  "Nothing was stored. For each server, `checks` says whether it accepted the sign-in, why not, and what to do.",
  { checks: Checks.annotate({ examples: [FAILED_CHECKS] }) },
) {}
