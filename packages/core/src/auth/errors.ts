import { Schema } from "effect";

/** The text given as e-mail is no mailbox address (400). */
export class AddressMalformed extends Schema.TaggedError<AddressMalformed>()("AddressMalformed", {}) {}

/** The mail server does not know this address with this password: one answer for both (401, spec 3). */
export class LoginRefused extends Schema.TaggedError<LoginRefused>()("LoginRefused", {}) {}

/** Too many failed sign-ins for this account or from this network (429, spec 3). */
export class TooManyLoginFailures extends Schema.TaggedError<TooManyLoginFailures>()("TooManyLoginFailures", {
  /** Milliseconds until another may be tried. */
  retryAfter: Schema.Number,
}) {}

/** A token that is malformed, forged, expired, of the other kind, or of a session that ended (401). */
export class TokenRejected extends Schema.TaggedError<TokenRejected>()("TokenRejected", {
  reason: Schema.Literals(["malformed", "signature", "claims", "expired", "session_ended"]),
}) {}

/** A refresh token was shown after its turn: its session has been ended (401, spec 3). */
export class RefreshReused extends Schema.TaggedError<RefreshReused>()("RefreshReused", {}) {}

/** The account has no such session (404). */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {}) {}
