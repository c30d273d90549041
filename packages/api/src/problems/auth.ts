import { problem } from "./problem.ts";

/** 401: one answer for an unknown e-mail and a wrong password (spec 3). */
export class LoginRefused extends problem<LoginRefused>()(
  "invalid_credentials",
  401,
  "E-mail and password do not match.",
) {}

/** 401: no token, or one that is malformed, forged, expired or of an ended session (spec 3.2). */
export class TokenRejected extends problem<TokenRejected>()("unauthorized", 401, "Sign in to use this.") {}

/** 401: somebody else may have a copy of the refresh token, so its session has been ended (spec 3). */
export class RefreshReused extends problem<RefreshReused>()(
  "refresh_reused",
  401,
  "This refresh token was used before. Sign in again.",
) {}

/** 404: the account has no such session. */
export class SessionNotFound extends problem<SessionNotFound>()(
  "session_not_found",
  404,
  "There is no such session.",
) {}

/** 429 with `Retry-After` (spec 3). */
export class TooManyLoginFailures extends problem<TooManyLoginFailures>()(
  "too_many_attempts",
  429,
  "Too many sign-ins have failed.",
) {}
