import { prefixOf } from "./prefix-of.ts";

/** How browsers carry their session where the service is reached by a given address (spec 3). */
export interface SessionCookie {
  readonly name: "__Host-session" | "__Secure-session" | "session";
  readonly secure: boolean;
  readonly path: string;
}

/** The cookie for a public address; none on plain http beyond this machine, where it could be read on the way. */
export const sessionCookieFor = (baseUrl: URL): SessionCookie | undefined => {
  const path = prefixOf(baseUrl) || "/";
  // Browsers take the name `__Host-…` for cookies of a whole origin only (RFC 6265bis, 4.1.3).
  if (baseUrl.protocol === "https:")
    return { name: path === "/" ? "__Host-session" : "__Secure-session", secure: true, path };
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(baseUrl.hostname)
    ? { name: "session", secure: false, path }
    : undefined;
};

/** `Set-Cookie` that hands a browser its session's secret for `seconds`; an empty secret and 0 take it away. */
export const setCookie = ({ name, secure, path }: SessionCookie, secret: string, seconds: number): string =>
  `${name}=${secret}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
