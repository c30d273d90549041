import { AccountId } from "@postern/core/shared";
import type { TokenClaims } from "@postern/core/auth";
import { Option, Schema } from "effect";
import type { JWTPayload } from "jose";

/** The payload besides `iss` and `aud`; times in seconds. */
const WireClaims = Schema.Struct({
  sub: Schema.NonEmptyString,
  iat: Schema.Int,
  exp: Schema.Int,
  jti: Schema.NonEmptyString,
  sid: Schema.NonEmptyString,
});

/** Rounds down, so that a token never outlives its lifetime. */
const seconds = (millis: number): number => Math.floor(millis / 1000);

export const toWire = ({ account, issuedAt, expiresAt, tokenId, sessionId }: TokenClaims): JWTPayload => ({
  sub: account,
  iat: seconds(issuedAt),
  exp: seconds(expiresAt),
  jti: tokenId,
  sid: sessionId,
});

const decode = Schema.decodeUnknownOption(WireClaims);

export const fromWire = (payload: JWTPayload): Option.Option<TokenClaims> =>
  Option.map(decode(payload), ({ sub, iat, exp, jti, sid }) => ({
    account: AccountId(sub),
    sessionId: sid,
    tokenId: jti,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
  }));
