import { problem } from "./problem.ts";

/** 401: the e-mail address is unknown or the password is wrong; the answer does not tell which (spec 3). */
export class LoginRefused extends problem<LoginRefused>()(
  "invalid_credentials",
  401,
  "E-mail address and password do not match",
  "The mail server refused the password, or does not know the address. Check both, then sign in again.",
) {}

/** 401: the provider requires an app password (spec 3.2). */
export class AppPasswordRequired extends problem<AppPasswordRequired>()(
  "app_password_required",
  401,
  "The mail provider requires an app password",
  "The mail server accepts only an app password. Create one in the security settings of the mailbox, and sign in with it.",
) {}

/** 401: the provider has switched off passwords (spec 3.2). */
export class BasicAuthDisabled extends problem<BasicAuthDisabled>()(
  "basic_auth_disabled",
  401,
  "The mail provider has disabled sign-in with passwords",
  "The mail server accepts no passwords for this mailbox. Connect the mailbox with OAuth2, or ask its administrator.",
) {}

/** 401: the mailbox is closed to IMAP (spec 3.2). */
export class ImapDisabled extends problem<ImapDisabled>()(
  "imap_disabled",
  401,
  "IMAP is disabled for this mailbox",
  "The mail server accepts the sign-in only after IMAP is enabled in the settings of the mailbox. Enable it, then sign in again.",
) {}

/** 401: the server has no mechanism for passwords (spec 3.2). */
export class OAuthRequired extends problem<OAuthRequired>()(
  "oauth_required",
  401,
  "The mail server accepts no passwords",
  "The mail server accepts only access tokens. Connect the mailbox with OAuth2.",
) {}

/** 401: the token is missing, malformed, forged or expired, or its session has ended (spec 3.2). */
export class TokenRejected extends problem<TokenRejected>()(
  "unauthorized",
  401,
  "Sign in first",
  "The token or session cookie is missing, malformed or expired, or its session has ended. Sign in with POST /api/auth/mobile-login and send the header Authorization: Bearer <token>, or refresh the token.",
) {}

/** 401: the refresh token may have been copied, so its session has been ended (spec 3). */
export class RefreshReused extends problem<RefreshReused>()(
  "refresh_reused",
  401,
  "This refresh token was used before",
  "Another program may have a copy of the token, so its session was ended. Sign in again, and store the new refresh token of every answer.",
) {}

/** 404: the account has no such session. */
export class SessionNotFound extends problem<SessionNotFound>()(
  "session_not_found",
  404,
  "Session not found",
  "The account has no session with this id; it may have ended already. List the sessions with GET /api/auth/sessions.",
) {}

/** 429 with `Retry-After`: too many sign-ins failed (spec 3). */
export class TooManyLoginFailures extends problem<TooManyLoginFailures>()(
  "too_many_attempts",
  429,
  "Too many sign-ins have failed",
  "Sign-ins of this account or from this network failed too often. Sign in again after the seconds given in Retry-After.",
) {}
