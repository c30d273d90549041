import { Effect } from "effect";
import { exportJWK, generateKeyPair } from "jose";
import type { SigningJwk } from "./SigningJwk.ts";

/**
 * Creates a private key for a server that starts for the first time (`JWT_KEYS`, spec 1). The caller keeps it secret.
 */
export const generateSigningKey = Effect.fn("generateSigningKey")(function* (kid: string) {
  const { x, d } = yield* Effect.promise(async () => {
    const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    return exportJWK(privateKey);
  });
  return { kty: "OKP", crv: "Ed25519", kid, x: x!, d: d! } satisfies SigningJwk;
});
