import { Effect, Option, Predicate, Schema } from "effect";
import { type CryptoKey, importJWK } from "jose";
import { SigningJwk, SigningKeyInvalid } from "./SigningJwk.ts";

export const ALGORITHM = "EdDSA";

/** A key imported for signing and verification. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: Readonly<Record<string, string>>;
}

/** Imports the keys; fails on the first key that is malformed, inconsistent or has a repeated name, and on an empty list. */
export const importSigningKeys = Effect.fnUntraced(function* (jwks: ReadonlyArray<unknown>) {
  const keys: Array<SigningKey> = [];
  for (const [index, jwk] of jwks.entries()) {
    const invalid = (problem: string) => new SigningKeyInvalid({ index, kid: kidOf(jwk), problem });
    const checked = decode(jwk);
    if (Option.isNone(checked)) return yield* invalid(`${wrongMembers(jwk).join(", ")} missing or malformed`);
    if (keys.some(({ kid }) => kid === checked.value.kid)) return yield* invalid("another key has this kid");
    keys.push(yield* Effect.mapError(importKey(checked.value), () => invalid("x and d are no key pair of Ed25519")));
  }
  const [first] = keys;
  return first === undefined
    ? yield* new SigningKeyInvalid({ index: 0, kid: null, problem: "is missing" })
    : { first, keys: keys as ReadonlyArray<SigningKey> };
});

const decode = Schema.decodeUnknownOption(SigningJwk);

const member = (jwk: unknown, name: string): unknown => (Predicate.hasProperty(jwk, name) ? jwk[name] : undefined);

const kidOf = (jwk: unknown): string | null => {
  const kid = member(jwk, "kid");
  return typeof kid === "string" ? kid : null;
};

const wrongMembers = (jwk: unknown): ReadonlyArray<string> =>
  Object.entries(SigningJwk.fields).flatMap(([name, schema]) => (Schema.is(schema)(member(jwk, name)) ? [] : [name]));

/** Imports a key and checks that `x` belongs to `d`. Some runtimes do not check that, and every token would then fail verification. */
const importKey = ({ kty, crv, kid, x, d }: SigningJwk) =>
  Effect.tryPromise(async (): Promise<SigningKey> => {
    const privateKey = (await importJWK({ kty, crv, x, d }, ALGORITHM)) as CryptoKey;
    const publicKey = (await importJWK({ kty, crv, x }, ALGORITHM)) as CryptoKey;
    const { subtle } = globalThis.crypto;
    const signature = await subtle.sign("Ed25519", privateKey, PROBE);
    if (!(await subtle.verify("Ed25519", publicKey, signature, PROBE))) throw new TypeError("not a pair");
    return { kid, privateKey, publicKey, publicJwk: { kty, crv, x, kid, alg: ALGORITHM, use: "sig" } };
  });

const PROBE = new TextEncoder().encode("postern");
