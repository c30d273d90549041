import { randomBytes } from "node:crypto";
import { generateSigningKey } from "@postern/jose";
import { Effect } from "effect";

/** A key name is opaque, but must never be reused. */
const newKid = () => `k${randomBytes(4).toString("hex")}`;

/** A key in the form of `CREDENTIAL_KEYS`. */
export const newSealingKey = (): string => `${newKid()}:${randomBytes(32).toString("base64")}`;

/** A private key as in `JWT_KEYS`. */
export const newSigningKey = Effect.suspend(() => generateSigningKey(newKid()));

/**
 * New keys as lines of an environment file, for processes that share a database (`npm run keys:new`). The lines have no
 * quotes, because Docker would read quotes as part of the value; systemd and dotenv need none.
 */
export const newKeys = Effect.map(
  newSigningKey,
  (signing) => `CREDENTIAL_KEYS=${newSealingKey()}\nJWT_KEYS=${JSON.stringify([signing])}`,
);
