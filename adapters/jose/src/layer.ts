import { type TokenClaims, TokenRejected, Tokens, type TokenUse } from "@postern/core/auth";
import { AccountId } from "@postern/core/shared";
import { Clock, Effect, Layer, Option, Schema } from "effect";
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, SignJWT } from "jose";
import { ALGORITHM, importSigningKeys, type SigningKey } from "./signing-keys.ts";
import type { SigningKeyInvalid } from "./SigningJwk.ts";
import { hasTokenForm } from "./token-form.ts";

const TOKENS_REMEMBERED = 10_000;

const WIRE = {
  access: { typ: "at+jwt", audience: "postern:access" },
  refresh: { typ: "rt+jwt", audience: "postern:refresh" },
} as const;

export interface JoseOptions {
  /** The `iss` of every token; tokens of another issuer are refused. */
  readonly issuer: string;
  /** Private Ed25519 JWKs (`SigningJwk`), validated by `layer`. The first key signs; tokens signed with any of the keys are accepted. */
  readonly keys: ReadonlyArray<unknown>;
}

/**
 * Issues and verifies JWTs signed with Ed25519 (spec 3): header `alg typ kid`, claims `iss aud sub iat exp jti sid`.
 * The same claims under the same key give the same token. Ignores keys in headers (`jwk`, `jku`, `x5u`) and refuses
 * unknown `crit`. Fails with `SigningKeyInvalid` if a key cannot be used.
 */
export const layer = ({ issuer, keys: jwks }: JoseOptions): Layer.Layer<Tokens, SigningKeyInvalid> =>
  Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const { first, keys } = yield* importSigningKeys(jwks);
      const publicKeys = new Map(keys.map(({ kid, publicKey }) => [kid, publicKey]));
      const verified = makeVerifiedTokens(TOKENS_REMEMBERED);

      const keyOf: JWTVerifyGetKey = ({ kid }) => {
        const key = publicKeys.get(kid ?? "");
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key;
      };

      const sign = (use: TokenUse, claims: TokenClaims, { kid, privateKey }: SigningKey) =>
        Effect.promise(() =>
          new SignJWT({ iss: issuer, aud: WIRE[use].audience, ...toWire(claims) })
            .setProtectedHeader({ alg: ALGORITHM, typ: WIRE[use].typ, kid })
            .sign(privateKey),
        );

      const issue: Tokens["Service"]["issue"] = Effect.fn("Tokens.issue")((use, claims) =>
        Effect.map(sign(use, claims, first), (token) => ({ token, keyId: first.kid })),
      );

      // Ed25519 is deterministic (RFC 8032): the same claims under the same key give the same token.
      const reissue: Tokens["Service"]["reissue"] = Effect.fn("Tokens.reissue")((use, claims, keyId) => {
        const key = keys.find(({ kid }) => kid === keyId);
        return key === undefined ? Effect.succeedNone : Effect.asSome(sign(use, claims, key));
      });

      const check = (use: TokenUse, token: string, now: number) =>
        Effect.tryPromise({
          try: () =>
            jwtVerify(token, keyOf, { ...WIRE[use], issuer, algorithms: [ALGORITHM], currentDate: new Date(now) }),
          catch: (error) => new TokenRejected({ reason: reasonOf(error) }),
        });

      const verify: Tokens["Service"]["verify"] = Effect.fnUntraced(function* (use, token) {
        const now = yield* Clock.currentTimeMillis;
        const known = verified.find(use, token);
        if (known !== undefined && now < known.expiresAt) return known;
        if (known !== undefined) verified.forget(token);
        if (!hasTokenForm(token)) return yield* new TokenRejected({ reason: "malformed" });

        const { payload } = yield* check(use, token, now);
        const claims = fromWire(payload);
        if (Option.isNone(claims)) return yield* new TokenRejected({ reason: "claims" });
        verified.remember(use, token, claims.value);
        return claims.value;
      });

      return Tokens.of({ issue, reissue, verify, publicKeys: { keys: keys.map(({ publicJwk }) => publicJwk) } });
    }),
  );

/** Returns why a token is refused. Any error during verification means a bad token, never a failure of the server. */
const reasonOf = (error: unknown): TokenRejected["reason"] => {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWTClaimValidationFailed) return "claims";
  return error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed
    ? "signature"
    : "malformed";
};

/**
 * Caches tokens with a verified signature, so that a token in constant use is not verified each time; drops the oldest.
 * Only the signature check is cached, so callers still check use and expiry.
 */
export const makeVerifiedTokens = (capacity: number) => {
  const verified = new Map<string, { readonly use: TokenUse; readonly claims: TokenClaims }>();
  return {
    find: (use: TokenUse, token: string): TokenClaims | undefined => {
      const known = verified.get(token);
      return known?.use === use ? known.claims : undefined;
    },
    remember: (use: TokenUse, token: string, claims: TokenClaims): void => {
      const oldest = verified.size >= capacity && !verified.has(token) ? verified.keys().next() : undefined;
      if (oldest?.done === false) verified.delete(oldest.value);
      verified.set(token, { use, claims });
    },
    forget: (token: string): void => {
      verified.delete(token);
    },
  };
};

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

const toWire = ({ account, issuedAt, expiresAt, tokenId, sessionId }: TokenClaims): JWTPayload => ({
  sub: account,
  iat: seconds(issuedAt),
  exp: seconds(expiresAt),
  jti: tokenId,
  sid: sessionId,
});

const decode = Schema.decodeUnknownOption(WireClaims);

const fromWire = (payload: JWTPayload): Option.Option<TokenClaims> =>
  Option.map(decode(payload), ({ sub, iat, exp, jti, sid }) => ({
    account: AccountId(sub),
    sessionId: sid,
    tokenId: jti,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
  }));
