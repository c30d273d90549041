import { problem } from "./problem.ts";

/** 401: one answer for an unknown e-mail address and a wrong password (spec 3). */
export class LoginRefused extends problem<LoginRefused>()(
  "invalid_credentials",
  401,
  "E-mail address and password do not match",
  "The mail server refused the password, or does not know the address. The two cases have the same answer.",
) {}

/** 401: no token, or one that is malformed, forged, expired or of an ended session (spec 3.2). */
export class TokenRejected extends problem<TokenRejected>()(
  "unauthorized",
  401,
  "Sign in first",
  "The token is missing, malformed or expired, or its session has ended. Refresh it, or sign in again.",
) {}

/** 401: the refresh token may have been copied, so its session has been ended (spec 3). */
export class RefreshReused extends problem<RefreshReused>()(
  "refresh_reused",
  401,
  "This refresh token was used before",
  "The token may have been copied, so the session has been ended. Sign in again.",
) {}

/** 404: the account has no such session. */
export class SessionNotFound extends problem<SessionNotFound>()(
  "session_not_found",
  404,
  "Session not found",
  "The account has no session with this id: it may have ended already.",
) {}

/** 429 with `Retry-After` (spec 3). */
export class TooManyLoginFailures extends problem<TooManyLoginFailures>()(
  "too_many_attempts",
  429,
  "Too many sign-ins have failed",
  "Failed sign-ins of this account or network reached a limit. Try again after `Retry-After` seconds.",
) {}
