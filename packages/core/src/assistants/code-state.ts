import { Duration } from "effect";
import { isSameHash } from "../auth/index.ts";
import type { AuthorizationCode } from "./AuthorizationCode.ts";

/** How long a code is valid (spec 13.3). */
const CODE_LIFETIME = Duration.seconds(60);

/** Returns a new code. */
export const startCode = (start: Omit<AuthorizationCode, "expiresAt">, now: number): AuthorizationCode => ({
  ...start,
  expiresAt: now + Duration.toMillis(CODE_LIFETIME),
});

/** The data that a client presents with a code; `challenge` is the hash of its verifier. */
export interface Redemption {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

/**
 * Returns whether a client may redeem a code: it has not expired, and client, redirect URI and verifier are the same as
 * in the request for authorization.
 */
export const mayRedeem = (
  { client, redirectUri, challenge, expiresAt }: AuthorizationCode,
  given: Redemption,
  now: number,
): boolean =>
  now < expiresAt &&
  client.id === given.clientId &&
  redirectUri === given.redirectUri &&
  isSameHash(challenge, given.challenge);
