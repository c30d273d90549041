import { type IssuedTokens, MAX_LIFETIME_SECONDS } from "@postern/core/oauth";
import { Redacted } from "effect";
import type * as oauth from "oauth4webapi";
import { NotAnswered } from "./guarded-fetch.ts";
import { secondsOf } from "./seconds-of.ts";

/** How many seconds an access token counts as valid if the provider names no lifetime. */
const USUAL_LIFETIME = 3_600;

/** The characters of a token (RFC 6749, A.12). Other characters could end the token's field in a sign-in. */
const TOKEN = /^[\x20-\x7e]+$/;

/** Returns the tokens of an answer, without an identity. Throws for a token that cannot be sent to a mail server. */
export const tokensOf = ({
  access_token: accessToken,
  expires_in: expiresIn,
  refresh_token: refreshToken,
}: oauth.TokenEndpointResponse): IssuedTokens & { readonly identity: null } => {
  if (!TOKEN.test(accessToken)) throw new NotAnswered({ code: "the access token has impossible characters" });
  return {
    accessToken: Redacted.make(accessToken),
    expiresIn: secondsOf(expiresIn ?? USUAL_LIFETIME, MAX_LIFETIME_SECONDS),
    refreshToken: refreshToken === undefined ? null : Redacted.make(refreshToken),
    identity: null,
  };
};
