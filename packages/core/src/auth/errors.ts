import { Schema } from "effect";

/** The text is not a mailbox address (400). */
export class AddressMalformed extends Schema.TaggedError<AddressMalformed>()("AddressMalformed", {}) {}

/** The mail server refused the address or the password; the error does not tell which (401, spec 3). */
export class LoginRefused extends Schema.TaggedError<LoginRefused>()("LoginRefused", {}) {}

/** Too many failed sign-ins for this account or from this network (429, spec 3). */
export class TooManyLoginFailures extends Schema.TaggedError<TooManyLoginFailures>()("TooManyLoginFailures", {
  /** Milliseconds until the next attempt is allowed. */
  retryAfter: Schema.Number,
}) {}

/** The token is malformed, forged, expired, of the other kind, or its session has ended (401). */
export class TokenRejected extends Schema.TaggedError<TokenRejected>()("TokenRejected", {
  reason: Schema.Literals(["malformed", "signature", "claims", "expired", "session_ended"]),
}) {}

/** A refresh token was used after it was replaced; its session has been ended (401, spec 3). */
export class RefreshReused extends Schema.TaggedError<RefreshReused>()("RefreshReused", {}) {}

/** The account has no such session (404). */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {}) {}
