import { AccountId } from "@postern/core/shared";
import type { TokenClaims } from "@postern/core/auth";
import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import type { SigningJwk } from "../src/index.ts";

/** The key of RFC 8037, appendix A. */
export const RFC_KEY: SigningJwk = {
  kty: "OKP",
  crv: "Ed25519",
  kid: "rfc8037",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};

export const ISSUER = "postern";

export const CLAIMS: TokenClaims = {
  account: AccountId("me@postern.test"),
  sessionId: "session-1",
  tokenId: "token-1",
  issuedAt: 0,
  expiresAt: 3_600_000,
};

export const HEADER: JWTHeaderParameters = { alg: "EdDSA", typ: "at+jwt", kid: RFC_KEY.kid };

export const PAYLOAD: JWTPayload = {
  iss: ISSUER,
  aud: "postern:access",
  sub: "me@postern.test",
  iat: 0,
  exp: 3600,
  jti: "token-1",
  sid: "session-1",
};

/** Returns a token with any header and payload, properly signed with a key. */
export const signed = async (
  header: object = {},
  payload: JWTPayload = {},
  { kty, crv, x, d }: SigningJwk = RFC_KEY,
): Promise<string> =>
  new SignJWT({ ...PAYLOAD, ...payload })
    .setProtectedHeader({ ...HEADER, ...header })
    .sign(await importJWK({ kty, crv, x, d }, { ...HEADER, ...header }.alg), { crit: { b64: true, exp: true } });
