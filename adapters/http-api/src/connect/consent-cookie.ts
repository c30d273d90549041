import { Effect, Redacted } from "effect";
import { HttpServerRequest } from "effect/http";
import type { PublicAddress } from "../edge/PublicAddress.ts";

/** The time limit of a consent in a browser, in seconds. */
const LIFETIME = 600;

/**
 * The number of characters of the `state` in the name of a cookie: enough to distinguish the consents of one browser.
 */
const TAG = 12;

type Address = Pick<PublicAddress["Service"], "https" | "prefix">;

/**
 * Returns the cookie name of a consent. Each consent has its own cookie, so that one browser can have several open
 * consents, and a cookie planted by another site is valid for no consent. Browsers accept the prefix `__Host-` only for
 * cookies with the path `/` (RFC 6265bis, 4.1.3).
 */
const nameOf = ({ https, prefix }: Address, state: string): string => {
  const name = `${state.slice(0, TAG)}-consent`;
  return https ? (prefix === "" ? `__Host-${name}` : `__Secure-${name}`) : name;
};

/** Returns the secret in the cookie of the consent with this `state`; undefined without such a cookie. */
export const consentCookie = (address: Address, state: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => {
    const secret = cookies[nameOf(address, state)];
    return secret === undefined || secret === "" ? undefined : Redacted.make(secret);
  });

/** Returns the `Set-Cookie` that binds a consent to this browser; the callback must carry the cookie. */
export const setConsentCookie = (address: Address, state: string, secret: Redacted.Redacted): string =>
  `${nameOf(address, state)}=${Redacted.value(secret)}; Max-Age=${LIFETIME}; Path=${address.prefix || "/"}; HttpOnly; SameSite=Lax${
    address.https ? "; Secure" : ""
  }`;
