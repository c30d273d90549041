import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { LoginRefused, RefreshReused, SessionNotFound, TokenRejected, TooManyLoginFailures } from "../problems/auth.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { HttpsRequired } from "../problems/requests.ts";
import { Instant, Ok, textUpTo } from "../wire.ts";

/** Who signs in: the e-mail address and password of the mail account. */
export const Credentials = Schema.Struct({ email: textUpTo(320), password: textUpTo(1024) }).annotate({
  identifier: "Credentials",
});

/** Spec 2.4. */
export const TokenPair = Schema.Struct({
  ok: Ok,
  token: Schema.String.annotate({ description: "Access token: `Authorization: Bearer <token>`." }),
  refreshToken: Schema.String,
  expiresIn: Schema.Int.annotate({ description: "Lifetime of the access token in seconds." }),
}).annotate({ identifier: "TokenPair" });

/** A sign-in that lasts (spec 3). */
export const SessionView = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  kind: Schema.Literals(["bearer", "cookie"]).annotate({ description: "An API client, or a browser." }),
  current: Schema.Boolean.annotate({ description: "Whether this request is of it." }),
  createdAt: Instant,
  lastUsedAt: Instant.annotate({ description: "To within five minutes." }),
  expiresAt: Instant,
  network: Schema.String.annotate({ description: "Where it was begun: an IPv4 address or an IPv6 /64." }),
  userAgent: Schema.String,
}).annotate({ identifier: "Session" });

const SIGN_IN_PROBLEMS = [LoginRefused, TooManyLoginFailures, ...MAIL_SERVER_PROBLEMS] as const;

const mobileLogin = HttpApiEndpoint.post("mobileLogin", "/mobile-login", {
  payload: Credentials,
  success: TokenPair,
  error: SIGN_IN_PROBLEMS,
}).annotate(OpenApi.Summary, "Sign in with e-mail and password");

const refresh = HttpApiEndpoint.post("refresh", "/refresh", {
  payload: Schema.Struct({ refreshToken: textUpTo(4096) }),
  success: TokenPair,
  error: [TokenRejected, RefreshReused, StoreUnavailable],
})
  .annotate(OpenApi.Summary, "Exchange a refresh token for a new pair")
  .annotate(
    OpenApi.Description,
    "A refresh token is good once. Where the answer was lost, the same token gives the same successor for 30 seconds.",
  );

const login = HttpApiEndpoint.post("login", "/login", {
  payload: Credentials,
  success: Schema.Struct({ ok: Ok, data: SessionView }),
  error: [HttpsRequired, ...SIGN_IN_PROBLEMS],
}).annotate(OpenApi.Summary, "Sign in as a browser, by cookie");

const logout = HttpApiEndpoint.post("logout", "/logout", {
  success: Schema.Struct({ ok: Ok }),
  error: StoreUnavailable,
})
  .middleware(Authorization)
  .annotate(OpenApi.Summary, "End this session");

const session = HttpApiEndpoint.get("session", "/session", {
  success: Schema.Struct({ ok: Ok, data: SessionView }),
  error: StoreUnavailable,
})
  .middleware(Authorization)
  .annotate(OpenApi.Summary, "This session");

const sessions = HttpApiEndpoint.get("sessions", "/sessions", {
  success: Schema.Struct({ ok: Ok, data: Schema.Array(SessionView), nextCursor: Schema.Null }),
  error: StoreUnavailable,
})
  .middleware(Authorization)
  .annotate(OpenApi.Summary, "All sessions of the account, the last begun first");

const endSession = HttpApiEndpoint.delete("endSession", "/sessions/:id", {
  params: { id: Schema.String },
  success: Schema.Struct({ ok: Ok, data: Schema.Struct({ id: Schema.String }) }),
  error: [SessionNotFound, StoreUnavailable],
})
  .middleware(Authorization)
  .annotate(OpenApi.Summary, "End a session");

/** Signing in and out (spec 3.2, 3.4). */
export class AuthGroup extends HttpApiGroup.make("auth")
  .add(mobileLogin)
  .add(refresh)
  .add(login)
  .add(logout)
  .add(session)
  .add(sessions)
  .add(endSession)
  .prefix("/api/auth")
  .annotate(OpenApi.Description, "Signing in and out. The mail server decides whether a password is good.") {}
