import { Schema } from "effect";

/** The text is not a mailbox address (400). */
export class AddressMalformed extends Schema.TaggedError<AddressMalformed>()("AddressMalformed", {}) {}

/** The mail server refused the address or the password; the error does not tell which (401, spec 3). */
export class LoginRefused extends Schema.TaggedError<LoginRefused>()("LoginRefused", {
  /** Whether the server gave no reason. Such a server may accept the same password a moment later. */
  isUnclear: Schema.optionalKey(Schema.Boolean),
}) {}

/** The reason for which a mail server refuses a password that may be right. */
export const PasswordRefusal = Schema.Literals([
  "app_password_required",
  "basic_auth_disabled",
  "imap_disabled",
  "oauth_required",
]);
export type PasswordRefusal = typeof PasswordRefusal.Type;

/** The mail server refused the sign-in for a stated reason, so another password does not help (401, spec 3.2). */
export class PasswordRefused extends Schema.TaggedError<PasswordRefused>()("PasswordRefused", {
  reason: PasswordRefusal,
}) {}

/** Too many failed sign-ins for this account or from this network (429, spec 3). */
export class TooManyLoginFailures extends Schema.TaggedError<TooManyLoginFailures>()("TooManyLoginFailures", {
  /** Milliseconds until the next attempt is allowed. */
  retryAfter: Schema.Number,
}) {}

/**
 * The token is malformed, forged or expired, its session has ended, or the request needs the other kind of token: a
 * refresh token or an access token (401).
 */
export class TokenRejected extends Schema.TaggedError<TokenRejected>()("TokenRejected", {
  reason: Schema.Literals(["malformed", "signature", "claims", "expired", "session_ended"]),
}) {}

/** A refresh token was used after it was replaced; its session has been ended (401, spec 3). */
export class RefreshReused extends Schema.TaggedError<RefreshReused>()("RefreshReused", {}) {}

/** The account has no such session (404). */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {}) {}

/** The key is unknown, expired or deleted (401). */
export class KeyRejected extends Schema.TaggedError<KeyRejected>()("KeyRejected", {}) {}

/** The key is not accepted from the network of this request (403). */
export class KeyNetworkRefused extends Schema.TaggedError<KeyNetworkRefused>()("KeyNetworkRefused", {}) {}

/** The operator suspended the application of the key (403). */
export class ApplicationSuspended extends Schema.TaggedError<ApplicationSuspended>()("ApplicationSuspended", {}) {}

/** Too many wrong keys came from this network (429). */
export class TooManyWrongKeys extends Schema.TaggedError<TooManyWrongKeys>()("TooManyWrongKeys", {
  /** Milliseconds until wrong keys from this network are checked again. */
  retryAfter: Schema.Number,
}) {}

/** The service key does not exist (404). */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", {}) {}

/** The client names a version of the key that is not the current one (409, spec 2.7). */
export class KeyChanged extends Schema.TaggedError<KeyChanged>()("KeyChanged", {}) {}

/** The client names a version of the application that is not the current one (409, spec 2.7). */
export class ApplicationChanged extends Schema.TaggedError<ApplicationChanged>()("ApplicationChanged", {}) {}

/** The application has neither keys nor endpoints (404). */
export class ApplicationNotFound extends Schema.TaggedError<ApplicationNotFound>()("ApplicationNotFound", {}) {}

/** An agent may not make this change, because it would widen the agent's policy (403, spec 13.1). `detail` describes the change. */
export class AgentNotAllowed extends Schema.TaggedError<AgentNotAllowed>()("AgentNotAllowed", {
  detail: Schema.String,
}) {}
