import { Effect, Redacted } from "effect";
import { HttpServerRequest } from "effect/http";
import type { PublicAddress } from "../PublicAddress.ts";

/** How long a browser may take for a consent, in seconds. */
const LIFETIME = 600;

type Address = Pick<PublicAddress["Service"], "https" | "prefix">;

/** Browsers accept the prefix `__Host-` only for cookies with the path `/` (RFC 6265bis, 4.1.3). */
const nameOf = ({ https, prefix }: Address): string =>
  https ? (prefix === "" ? "__Host-consent" : "__Secure-consent") : "consent";

/** Returns the secret of the browser's cookie; undefined without one. */
export const consentCookie = (address: Address) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => {
    const secret = cookies[nameOf(address)];
    return secret === undefined || secret === "" ? undefined : Redacted.make(secret);
  });

/** Returns the `Set-Cookie` that binds consents to this browser. It comes back with the callback. */
export const setConsentCookie = (address: Address, secret: Redacted.Redacted): string =>
  `${nameOf(address)}=${Redacted.value(secret)}; Max-Age=${LIFETIME}; Path=${address.prefix || "/"}; HttpOnly; SameSite=Lax${
    address.https ? "; Secure" : ""
  }`;
