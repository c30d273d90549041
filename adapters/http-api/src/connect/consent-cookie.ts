import { Effect, Redacted } from "effect";
import { HttpServerRequest } from "effect/http";
import type { PublicAddress } from "../edge/PublicAddress.ts";

/** How long a browser may take for a consent, in seconds. */
const LIFETIME = 600;

/** Characters of the `state` in the name of a cookie: enough to tell the consents of one browser apart. */
const TAG = 12;

type Address = Pick<PublicAddress["Service"], "https" | "prefix">;

/**
 * Each consent has its own cookie, so that one browser can have several consents open, and a cookie that another site
 * planted is valid for none. Browsers accept the prefix `__Host-` only for cookies with the path `/` (RFC 6265bis,
 * 4.1.3).
 */
const nameOf = ({ https, prefix }: Address, state: string): string => {
  const name = `${state.slice(0, TAG)}-consent`;
  return https ? (prefix === "" ? `__Host-${name}` : `__Secure-${name}`) : name;
};

/** Returns the secret of the cookie that was set for a consent, by its `state`; undefined without one. */
export const consentCookie = (address: Address, state: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => {
    const secret = cookies[nameOf(address, state)];
    return secret === undefined || secret === "" ? undefined : Redacted.make(secret);
  });

/** Returns the `Set-Cookie` that binds a consent to this browser. It comes back with the callback. */
export const setConsentCookie = (address: Address, state: string, secret: Redacted.Redacted): string =>
  `${nameOf(address, state)}=${Redacted.value(secret)}; Max-Age=${LIFETIME}; Path=${address.prefix || "/"}; HttpOnly; SameSite=Lax${
    address.https ? "; Secure" : ""
  }`;
