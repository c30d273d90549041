import { prefixOf } from "./prefix-of.ts";

/** The session cookie for the service's public address (spec 3). */
export interface SessionCookie {
  readonly name: "__Host-session" | "__Secure-session" | "session";
  readonly secure: boolean;
  readonly path: string;
}

/**
 * Returns the cookie for a public address; undefined for plain http outside this machine, where it could be
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

/** Returns a `Set-Cookie` that stores a session's secret for `seconds`; an empty secret with 0 deletes it. */
export const setCookie = ({ name, secure, path }: SessionCookie, secret: string, seconds: number): string =>
  `${name}=${secret}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
