import type { AccountId } from "../shared/index.ts";

/**
 * What a sign-in starts: each token or cookie belongs to one session. Ended sessions are deleted from the store. Times
 * are epoch milliseconds (spec 3).
 */
export type Session = BearerSession | CookieSession | HostSession;

interface SessionBase {
  readonly id: string;
  readonly account: AccountId;
  readonly createdAt: number;
  /** Accurate to five minutes. */
  readonly lastUsedAt: number;
  /** Moves forward with use, never past `absoluteExpiresAt`. */
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
  readonly client: SessionClient;
}

/** The session of an API client: it has access tokens and a family of refresh tokens, one of which is valid at a time. */
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

/** The client that a session was started from, so that its owner can recognise it. */
export interface SessionClient {
  /** The network as the throttle counts it: an IPv4 address or an IPv6 /64. */
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
