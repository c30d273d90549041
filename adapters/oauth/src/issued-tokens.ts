import type { IssuedTokens } from "@postern/core/oauth";
import { Redacted } from "effect";
import type * as oauth from "oauth4webapi";

/** Seconds that an access token counts as valid where the provider does not say. */
const USUAL_LIFETIME = 3_600;

/** Returns the tokens of an answer, without an identity. */
export const tokensOf = ({
  access_token: accessToken,
  expires_in: expiresIn,
  refresh_token: refreshToken,
}: oauth.TokenEndpointResponse): IssuedTokens & { readonly identity: null } => ({
  accessToken: Redacted.make(accessToken),
  expiresIn: expiresIn ?? USUAL_LIFETIME,
  refreshToken: refreshToken === undefined ? null : Redacted.make(refreshToken),
  identity: null,
});
