import { Schema } from "effect";

/**
 * The mail server could not do what it was asked, or would not (spec 2, 3).
 *
 * `unreachable`: no connection, or it was cut. `untrusted`: its certificate is not one to trust. `timeout`: it answered too
 * late. `busy`: it refused for too many connections or for a passing fault of its own. `protocol`: it refused a command it
 * should have accepted. `not_permitted`: the account has no right to do this. `over_quota`: the mailbox has no room for it.
 * The last two are answered the same however often they are asked.
 */
export class MailServerError extends Schema.TaggedError<MailServerError>()("MailServerError", {
  reason: Schema.Literals(["unreachable", "untrusted", "timeout", "busy", "protocol", "not_permitted", "over_quota"]),
  /** What was being done, for the log; never a credential. */
  operation: Schema.String,
  detail: Schema.String,
}) {}

/** Whether the server answered and did nothing of what it was asked. */
export const isRefused = ({ reason }: MailServerError): boolean =>
  reason === "protocol" || reason === "not_permitted" || reason === "over_quota";
