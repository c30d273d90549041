import { Schema } from "effect";

/**
 * The mail server could not do what it was asked, through no fault of the caller (decisions 2 and 3).
 *
 * `unreachable`: no connection, or it was cut. `timeout`: it answered too late. `busy`: it refused for too many
 * connections or for a passing fault of its own. `protocol`: it refused a command it should have accepted.
 */
export class MailServerError extends Schema.TaggedError<MailServerError>()("MailServerError", {
  reason: Schema.Literals(["unreachable", "timeout", "busy", "protocol"]),
  /** What was being done, for the log; never a credential. */
  operation: Schema.String,
  detail: Schema.String,
}) {}
