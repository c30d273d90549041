import { randomBytes } from "node:crypto";
import { generateSigningKey } from "@postern/jose";
import { Effect } from "effect";

/** Returns a new key name, which is opaque and must never be reused. */
const newKid = () => `k${randomBytes(4).toString("hex")}`;

/** Returns a new key in the form of `CREDENTIAL_KEYS`. */
export const newSealingKey = (): string => `${newKid()}:${randomBytes(32).toString("base64")}`;

/** Returns a new private key in the form of `JWT_KEYS`. */
export const newSigningKey = Effect.suspend(() => generateSigningKey(newKid()));

/**
 * Returns new keys as lines of an environment file, for processes that share a database (`npm run keys:new`). The lines
 * have no quotes, because Docker would read quotes as part of the value; systemd and dotenv need none.
 */
export const newKeys = Effect.map(
  newSigningKey,
  (signing) => `CREDENTIAL_KEYS=${newSealingKey()}\nJWT_KEYS=${JSON.stringify([signing])}`,
);
