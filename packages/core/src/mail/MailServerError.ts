import { Schema } from "effect";

/**
 * The mail server failed or refused an operation (spec 2, 3).
 *
 * `unreachable`: no connection, or it was cut. `untrusted`: its certificate is not trusted. `timeout`: it responded too
 * late. `busy`: it refused because of too many connections or a temporary fault. `limited`: this service opens no
 * further connection to the host now. `protocol`: it refused a command that it should have accepted. `flood`: it sent
 * far more than was requested, now or a moment ago. `not_permitted`: the account lacks the right. `over_quota`: the
 * mailbox is full. Retrying does not help with these two. `sign_in_unclear`: it refused the stored credential without
 * saying why; the refusal may be temporary. `provider_unavailable` and `app_misconfigured`: the OAuth2 provider issues
 * no token, so the server was not asked. `credential_unreadable`: this process cannot decrypt the stored credential,
 * for example because it lacks the key.
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

/** Whether the server refused the operation and did nothing. */
export const isRefused = ({ reason }: MailServerError): boolean =>
  reason === "protocol" || reason === "not_permitted" || reason === "over_quota";
