import { signInFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { documented } from "../document/documented.ts";
import { SIGN_IN_PROVIDER } from "../examples/oauth-apps.ts";
import { CREDENTIALS, SESSION, SESSION_ID, TOKEN_PAIR } from "../examples/sign-in.ts";
import {
  AppPasswordRequired,
  BasicAuthDisabled,
  ImapDisabled,
  LoginRefused,
  OAuthRequired,
  RefreshReused,
  SessionNotFound,
  TokenRejected,
  TooManyLoginFailures,
} from "../problems/auth.ts";
import { SignInProvider } from "./OAuthAppsGroup.ts";
import { CredentialUnreadable, MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { HttpsRequired, InvalidRequest, TooManyRequests } from "../problems/requests.ts";
import { SessionAuthorization } from "../auth/SessionAuthorization.ts";
import { Deleted, Instant, NextCursor, Ok, pageQuery } from "../records/wire.ts";

/** The e-mail address and password of the mail account. */
export const Credentials = Schema.Struct({
  email: signInFields.email.annotate({ description: "E-mail address of the mailbox." }),
  password: signInFields.password.annotate({
    description: "Password of the mailbox, or an app password of the provider.",
  }),
}).annotate({ identifier: "Credentials", description: "E-mail address and password of the mailbox." });

const RefreshToken = signInFields.refreshToken.annotate({
  description: "Refresh token (JWT). It is valid for 30 days and used once; a session lasts 90 days at most.",
});

/** The tokens of a session (spec 2.4). */
export const TokenPair = Schema.Struct({
  ok: Ok,
  token: Schema.String.annotate({ description: "Access token (JWT): send it as `Authorization: Bearer <token>`." }),
  refreshToken: Schema.String.annotate({
    description: "Refresh token (JWT) for `POST /api/auth/refresh`. Valid for 30 days, and used once.",
  }),
  expiresIn: Schema.Int.annotate({ description: "Lifetime of the access token in seconds: 3600." }),
}).annotate({ identifier: "TokenPair", description: "The tokens of a session." });

const SessionId = Schema.String.annotate({ description: "Id of the session.", examples: [SESSION_ID] });

/** A session: one sign-in of one client (spec 3). */
export const SessionView = Schema.Struct({
  id: SessionId,
  email: Schema.String.annotate({ description: "Address of the account." }),
  kind: Schema.Literals(["bearer", "cookie", "host"]).annotate({
    description: "`bearer`: an API client; `cookie`: a browser; `host`: the program that embeds the service.",
  }),
  current: Schema.Boolean.annotate({ description: "True for the session of this request." }),
  createdAt: Instant.annotate({ description: "Time of the sign-in." }),
  lastUsedAt: Instant.annotate({ description: "Time of the last request, to within five minutes." }),
  expiresAt: Instant.annotate({ description: "When the session ends unless it is used before." }),
  network: Schema.String.annotate({ description: "Network of the sign-in: an IPv4 address or an IPv6 /64." }),
  userAgent: Schema.String.annotate({ description: "`User-Agent` of the sign-in; empty if there was none." }),
}).annotate({ identifier: "Session", description: "A session: one sign-in of one client." });

const SIGN_IN_PROBLEMS = [
  LoginRefused,
  AppPasswordRequired,
  BasicAuthDisabled,
  ImapDisabled,
  OAuthRequired,
  TooManyLoginFailures,
  TooManyRequests,
  ...MAIL_SERVER_PROBLEMS,
] as const;

const mobileLogin = HttpApiEndpoint.post("mobileLogin", "/mobile-login", {
  payload: Credentials,
  success: TokenPair,
  error: SIGN_IN_PROBLEMS,
}).annotateMerge(
  documented({
    summary: "Sign in with e-mail address and password",
    description:
      "Checks the password with the mail server, stores it encrypted and starts a session. For API clients and " +
      "servers; browsers use `POST /api/auth/login`. After 5 failures in 15 minutes from one network the answer is " +
      "429.",
    request: CREDENTIALS,
    answer: TOKEN_PAIR,
  }),
);

const refresh = HttpApiEndpoint.post("refresh", "/refresh", {
  payload: Schema.Struct({ refreshToken: RefreshToken }),
  success: TokenPair,
  error: [TokenRejected, RefreshReused, StoreUnavailable, CredentialUnreadable],
}).annotateMerge(
  documented({
    summary: "Exchange a refresh token for a new pair",
    description:
      "Each refresh token can be used once; the answer contains the next one. If the answer is lost, repeat the " +
      "request within 30 seconds to get the same next token. A later repeat ends the session (`refresh_reused`).",
    request: { refreshToken: TOKEN_PAIR.refreshToken },
    answer: TOKEN_PAIR,
  }),
);

const login = HttpApiEndpoint.post("login", "/login", {
  payload: Credentials,
  success: Schema.Struct({ ok: Ok, data: SessionView }),
  error: [HttpsRequired, ...SIGN_IN_PROBLEMS],
}).annotateMerge(
  documented({
    summary: "Sign in as a browser",
    description:
      "Checks the password as `mobile-login` does and sets the session cookie (`HttpOnly`), which expires after " +
      "24 hours without use and after 30 days at the latest. Needs https, except on this machine.",
    request: CREDENTIALS,
    answer: { ok: true, data: { ...SESSION, kind: "cookie" } },
  }),
);

const logout = HttpApiEndpoint.post("logout", "/logout", {
  success: Schema.Struct({ ok: Ok }),
  error: StoreUnavailable,
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "Sign out",
      description:
        "Ends this session: its access and refresh tokens are refused from now on, its cookie is cleared, and its " +
        "open event streams end within a second. Messages that wait to be sent are still sent.",
      answer: { ok: true },
    }),
  );

const session = HttpApiEndpoint.get("session", "/session", {
  success: Schema.Struct({ ok: Ok, data: SessionView }),
  error: StoreUnavailable,
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "Show this session",
      description:
        "Returns the session of the credential that was sent. Use it to check whether a token is still valid.",
      answer: { ok: true, data: SESSION },
    }),
  );

const sessions = HttpApiEndpoint.get("sessions", "/sessions", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(SessionView).annotate({ description: "The sessions, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "List the sessions of the account",
      description: "Returns all sessions that have not ended, of API clients and browsers, newest first.",
      answer: { ok: true, data: [SESSION], nextCursor: null },
    }),
  );

const endSession = HttpApiEndpoint.delete("endSession", "/sessions/:id", {
  params: { id: SessionId },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({ id: SessionId, deleted: Deleted }).annotate({ description: "The session that ended." }),
  }),
  error: [SessionNotFound, StoreUnavailable],
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "End a session",
      description:
        "Ends any session of the account, such as that of a lost phone, in the same way as `POST /api/auth/logout`.",
      answer: { ok: true, data: { id: SESSION_ID, deleted: true } },
    }),
  );

const providers = HttpApiEndpoint.get("providers", "/providers", {
  query: {
    ...pageQuery,
    email: Schema.optionalKey(
      signInFields.email.annotate({ description: "Only apps that may open the mailbox of this address." }),
    ),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(SignInProvider).annotate({ description: "The apps, by id." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable, CredentialUnreadable],
}).annotateMerge(
  documented({
    summary: "List the ways to sign in without a password",
    description:
      "Returns the OAuth2 apps by which users sign in with a browser, at `/oauth/sign-in/{id}`, which takes the " +
      "address in the parameter `email`. The list is empty if browsers cannot sign in.",
    answer: { ok: true, data: [SIGN_IN_PROVIDER], nextCursor: null },
  }),
);

/** Signing in and out (spec 3.2, 3.4). */
export class AuthGroup extends HttpApiGroup.make("auth")
  .add(mobileLogin)
  .add(refresh)
  .add(login)
  .add(providers)
  .add(logout)
  .add(session)
  .add(sessions)
  .add(endSession)
  .prefix("/api/auth")
  .annotate(OpenApi.Title, "Sign-in")
  .annotate(OpenApi.Description, "Sign in and out, and manage sessions. The mail server checks the password.") {}
