import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { InvalidCredentials, MAIL_SERVER_PROBLEMS } from "../problems.ts";
import { Ok, textUpTo } from "../wire.ts";

/** Who signs in: the e-mail address and password of the mail account. */
export const Credentials = Schema.Struct({ email: textUpTo(320), password: textUpTo(1024) }).annotate({
  identifier: "Credentials",
});

/** Seed 2.1. */
export const TokenPair = Schema.Struct({
  ok: Ok,
  token: Schema.String.annotate({ description: "Access token: `Authorization: Bearer <token>`." }),
  refreshToken: Schema.String,
  expiresIn: Schema.Int.annotate({ description: "Lifetime of the access token in seconds." }),
}).annotate({ identifier: "TokenPair" });

const mobileLogin = HttpApiEndpoint.post("mobileLogin", "/mobile-login", {
  payload: Credentials,
  success: TokenPair,
  error: [InvalidCredentials, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Sign in with e-mail and password");

/** Signing in and out (seed 4.1 to 4.3, decisions 3). */
export class AuthGroup extends HttpApiGroup.make("auth")
  .add(mobileLogin)
  .prefix("/api/auth")
  .annotate(OpenApi.Description, "Signing in. The mail server decides whether a password is good.") {}
