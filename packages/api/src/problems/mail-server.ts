import { OAuthAppRefused, OAuthProviderUnavailable } from "./oauth.ts";
import { problem } from "./problem.ts";

/** 401: the mail server refuses the stored credential, so the user must sign in again (spec 3). */
export class MailboxCredentialsRejected extends problem<MailboxCredentialsRejected>()(
  "mailbox_credentials_rejected",
  401,
  "The mail server no longer accepts the account's password or token",
  "The password of the mailbox was changed. Sign in again with the current password.",
) {}

/** 502 with `Retry-After`: the mail server cannot be reached (spec 2). */
export class MailServerUnreachable extends problem<MailServerUnreachable>()(
  "mail_server_unreachable",
  502,
  "The mail server cannot be reached",
  "The service could not connect to the mail server, or the connection was cut. Retry after the seconds given in Retry-After.",
) {}

/** 502 with `Retry-After`: the certificate of the mail server is not trusted. */
export class MailServerUntrusted extends problem<MailServerUntrusted>()(
  "mail_server_untrusted",
  502,
  "The certificate of the mail server is not trusted",
  "The certificate has expired, names another host, or is signed by an authority that the service does not trust. Have the operator renew it, or set MAIL_TLS_CA_FILE to a file with the certificate of the authority.",
) {}

/** 502 with `Retry-After`: too many connections, or a temporary fault of the server. */
export class MailServerBusy extends problem<MailServerBusy>()(
  "mail_server_busy",
  502,
  "The mail server is too busy to answer",
  "The mail server has too many connections or a temporary fault. Retry after the seconds given in Retry-After.",
) {}

/** 502 with `Retry-After`: the stored credential was refused without a reason, perhaps temporarily (spec 10.3). */
export class SignInUnclear extends problem<SignInUnclear>()(
  "sign_in_unclear",
  502,
  "The mail server refused the sign-in without saying why",
  "The mail server may be at fault for a moment, or the password may have changed. Retry after the seconds given in Retry-After; a refusal a minute later counts as a refused password.",
) {}

/** 502 with `Retry-After`: the mail server exceeded its budget and is not contacted for a while. */
export class MailServerFlood extends problem<MailServerFlood>()(
  "mail_server_flood",
  502,
  "The mail server sent far more than it was asked for",
  "The service closed the connection. It waits before it contacts the mail server for this account again, each time " +
    "longer. Retry after the seconds given in Retry-After; if the fault remains, check the account's mail server.",
) {}

/** 502 with `Retry-After`: the mail server refused a valid command. */
export class MailServerFault extends problem<MailServerFault>()(
  "mail_server_fault",
  502,
  "The mail server refused a valid command",
  "The mail server refused a command that it should accept. Retry; if that fails too, report the request id to the operator.",
) {}

/** 504 with `Retry-After`: the mail server did not answer in time (spec 2). */
export class MailServerTimeout extends problem<MailServerTimeout>()(
  "mail_server_timeout",
  504,
  "The mail server did not answer in time",
  "The mail server took too long. Retry after the seconds given in Retry-After; before you repeat a change, check whether it was made.",
) {}

/** 403: the mail server's access rights forbid the operation, as in a read-only folder. */
export class NotPermitted extends problem<NotPermitted>()(
  "not_permitted",
  403,
  "The mail server does not permit this account to do this",
  "The account lacks the access right, as in a shared folder that it may only read. Ask the owner of the folder for the right, then retry.",
) {}

/** 507: the mailbox is full; delete mail or raise the quota before a retry. */
export class MailboxFull extends problem<MailboxFull>()(
  "mailbox_full",
  507,
  "The mailbox has no room left",
  "The quota of the mailbox is used up. Delete messages or have the quota raised, then retry.",
) {}

/** 503 with `Retry-After`: the database cannot be read or written now (spec 2). */
export class StoreUnavailable extends problem<StoreUnavailable>()(
  "database_unavailable",
  503,
  "The database of the service does not answer",
  "The database is down or overloaded. Retry after the seconds given in Retry-After.",
) {}

/** 503 with `Retry-After`: this process cannot decrypt the stored credential (spec 3). */
export class CredentialUnreadable extends problem<CredentialUnreadable>()(
  "credential_unreadable",
  503,
  "The stored credential cannot be decrypted",
  "The credential is encrypted with a key that this process does not have. This happens if keys are rotated before " +
    "every process has the new key. The operator has to give the key to each process with CREDENTIAL_KEYS; the log " +
    "names it.",
) {}

/** The problems of every operation that contacts the mail server. */
export const MAIL_SERVER_PROBLEMS = [
  MailboxCredentialsRejected,
  MailServerUnreachable,
  MailServerUntrusted,
  MailServerBusy,
  MailServerFlood,
  MailServerFault,
  MailServerTimeout,
  SignInUnclear,
  OAuthProviderUnavailable,
  OAuthAppRefused,
  CredentialUnreadable,
  NotPermitted,
  MailboxFull,
  StoreUnavailable,
] as const;
