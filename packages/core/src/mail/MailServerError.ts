import { Schema } from "effect";

/**
 * The mail server failed or refused an operation (spec 2, 3). `unreachable`: the connection failed or ended.
 * `untrusted`: the server's certificate is not trusted. `timeout`: the response came too late. `busy`: refused because
 * of too many connections or a temporary fault. `limited`: this service opens no further connection to the host now.
 * `protocol`: a command that should succeed was refused. `flood`: the server sent far more than was requested, now or a
 * moment ago. `not_permitted`: the account lacks the right; a retry does not help. `over_quota`: the mailbox is full; a
 * retry does not help. `sign_in_unclear`: the stored credential was refused without a reason; the refusal may be
 * temporary. `provider_unavailable` and `app_misconfigured`: the OAuth2 provider issues no token, so the server was not
 * contacted. `credential_unreadable`: this process cannot decrypt the stored credential, for example because it lacks
 * the key.
 */
export class MailServerError extends Schema.TaggedError<MailServerError>()("MailServerError", {
  reason: Schema.Literals([
    "unreachable",
    "untrusted",
    "timeout",
    "busy",
    "limited",
    "protocol",
    "flood",
    "not_permitted",
    "over_quota",
    "sign_in_unclear",
    "provider_unavailable",
    "app_misconfigured",
    "credential_unreadable",
  ]),
  /** The failed operation, for the log; never a credential. */
  operation: Schema.String,
  detail: Schema.String,
}) {}

/** Returns whether the server refused the operation and did nothing. */
export const isRefused = ({ reason }: MailServerError): boolean =>
  reason === "protocol" || reason === "not_permitted" || reason === "over_quota";
