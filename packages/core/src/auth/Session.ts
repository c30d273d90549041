import type { AccountId } from "../shared/index.ts";

/**
 * A session, started by a sign-in. Each token or cookie belongs to one session. Ended sessions are deleted from the
 * store. Times are epoch milliseconds (spec 3).
 */
export type Session = BearerSession | CookieSession | HostSession;

interface SessionBase {
  readonly id: string;
  readonly account: AccountId;
  readonly createdAt: number;
  /** When the session was last used, accurate to five minutes. */
  readonly lastUsedAt: number;
  /** When the session expires. Use extends it, at most until `absoluteExpiresAt`. */
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
  readonly client: SessionClient;
}

/**
 * The session of an API client, with access tokens and a family of refresh tokens. One refresh token is valid at a
 * time.
 */
export interface BearerSession extends SessionBase {
  readonly kind: "bearer";
  readonly refresh: RefreshFamily;
}

/** The session of a browser, identified by an opaque cookie. */
export interface CookieSession extends SessionBase {
  readonly kind: "cookie";
  readonly cookieHash: string;
}

/** The session of a program that embeds the service and acts for the account. One per account; each use extends it. */
export interface HostSession extends SessionBase {
  readonly kind: "host";
}

/** The client that started a session, so that the owner can recognise the session. */
export interface SessionClient {
  /** The network by which sign-ins are throttled: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  readonly userAgent: string;
}

/** The refresh tokens of a session: the current token and its predecessor. */
export interface RefreshFamily {
  readonly current: RefreshToken;
  readonly previous: { readonly hash: string; readonly rotatedAt: number } | null;
}

/** The stored part of a refresh token: enough to recognise it and to sign an identical one. */
export interface RefreshToken {
  readonly hash: string;
  readonly tokenId: string;
  readonly keyId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}
