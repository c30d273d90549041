import { HttpServerResponse } from "effect/http";
import { prefixOf } from "./prefix-of.ts";

/** The session cookie for the service's public address (spec 3). */
export interface SessionCookie {
  /** `__Host-session`, `__Secure-session` or `session`; for one account of several, with the mark of that account. */
  readonly name: string;
  readonly secure: boolean;
  readonly path: string;
}

/**
 * Returns the cookie for a public address; undefined for plain http outside this machine, where the cookie could be
 * intercepted.
 */
export const sessionCookieFor = (baseUrl: URL): SessionCookie | undefined => {
  const path = prefixOf(baseUrl) || "/";
  // Browsers accept the prefix `__Host-` only for cookies with the path `/` (RFC 6265bis, 4.1.3).
  if (baseUrl.protocol === "https:")
    return { name: path === "/" ? "__Host-session" : "__Secure-session", secure: true, path };
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(baseUrl.hostname)
    ? { name: "session", secure: false, path }
    : undefined;
};

/** Returns the cookie of one account in a browser that is signed in to several (spec 3.5). */
export const accountCookie = (cookie: SessionCookie, accountMark: string): SessionCookie => ({
  ...cookie,
  name: `${cookie.name}-${accountMark}`,
});

/** The form of an account's mark (`Fingerprints.ofAccount`). */
const MARK = /^-[\w-]{16}$/;

/** Returns whether a cookie of this name holds a session, of one account or another. */
export const holdsSession = (cookie: SessionCookie, name: string): boolean =>
  name.startsWith(cookie.name) && (name === cookie.name || MARK.test(name.slice(cookie.name.length)));

/** Returns the response with a cookie that stores a session's secret for `seconds`; an empty secret with 0 deletes it. */
export const withCookie = (
  response: HttpServerResponse.HttpServerResponse,
  { name, secure, path }: SessionCookie,
  secret: string,
  seconds: number,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, name, secret, {
    maxAge: seconds * 1_000,
    path,
    httpOnly: true,
    sameSite: "lax",
    secure,
  });
