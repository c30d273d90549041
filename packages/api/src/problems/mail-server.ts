import { problem } from "./problem.ts";

/** 401: sign in again with the password now in force (spec 3). */
export class MailboxCredentialsRejected extends problem<MailboxCredentialsRejected>()(
  "mailbox_credentials_rejected",
  401,
  "The mail server no longer accepts the password kept for this account.",
) {}

/** 502 with `Retry-After` (spec 2). */
export class MailServerUnreachable extends problem<MailServerUnreachable>()(
  "mail_server_unreachable",
  502,
  "The mail server cannot be reached.",
) {}

/** 502 with `Retry-After`: the certificate of the mail server is not one to trust. */
export class MailServerUntrusted extends problem<MailServerUntrusted>()(
  "mail_server_untrusted",
  502,
  "The certificate of the mail server is not trusted",
) {}

/** 502 with `Retry-After`: too many connections, or a passing fault of the server. */
export class MailServerBusy extends problem<MailServerBusy>()(
  "mail_server_busy",
  502,
  "The mail server is too busy to answer.",
) {}

/** 502 with `Retry-After`. */
export class MailServerFault extends problem<MailServerFault>()(
  "mail_server_fault",
  502,
  "The mail server refused what it should allow.",
) {}

/** 504 with `Retry-After` (spec 2). */
export class MailServerTimeout extends problem<MailServerTimeout>()(
  "mail_server_timeout",
  504,
  "The mail server did not answer in time.",
) {}

/** 403: the account has no right to do this in that folder, which it may only read. */
export class NotPermitted extends problem<NotPermitted>()(
  "not_permitted",
  403,
  "The mail server does not permit this account to do this",
) {}

/** 507: delete mail, or have the quota raised, before asking again. */
export class MailboxFull extends problem<MailboxFull>()("mailbox_full", 507, "The mailbox has no room left") {}

/** 503 with `Retry-After`: what we keep cannot be read or written now (spec 2). */
export class StoreUnavailable extends problem<StoreUnavailable>()(
  "database_unavailable",
  503,
  "The database of the service does not answer.",
) {}

/** What any endpoint that asks the mail server may answer. */
export const MAIL_SERVER_PROBLEMS = [
  MailboxCredentialsRejected,
  MailServerUnreachable,
  MailServerUntrusted,
  MailServerBusy,
  MailServerFault,
  MailServerTimeout,
  NotPermitted,
  MailboxFull,
  StoreUnavailable,
] as const;
