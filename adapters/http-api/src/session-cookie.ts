/** How browsers carry their session where the service is reached by a given address (spec 3). */
export interface SessionCookie {
  readonly name: "__Host-session" | "session";
  readonly secure: boolean;
}

/** The cookie for a public address; none on plain http beyond this machine, where it could be read on the way. */
export const sessionCookieFor = (baseUrl: URL): SessionCookie | undefined => {
  if (baseUrl.protocol === "https:") return { name: "__Host-session", secure: true };
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(baseUrl.hostname)
    ? { name: "session", secure: false }
    : undefined;
};

/** `Set-Cookie` that hands a browser its session's secret for `seconds`; an empty secret and 0 take it away. */
export const setCookie = ({ name, secure }: SessionCookie, secret: string, seconds: number): string =>
  `${name}=${secret}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
