import type { AccountId } from "../shared/index.ts";

/**
 * A sign-in that lasts: every credential a client shows is looked up here. A session that ended is gone from the store.
 * Times are epoch milliseconds (spec 3).
 */
export type Session = BearerSession | CookieSession;

interface SessionBase {
  readonly id: string;
  readonly account: AccountId;
  readonly createdAt: number;
  /** To within five minutes. */
  readonly lastUsedAt: number;
  /** Moves on with use, never past `absoluteExpiresAt`. */
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
  readonly client: SessionClient;
}

/** A session of an API client: access tokens, and a family of refresh tokens of which one is good at a time. */
export interface BearerSession extends SessionBase {
  readonly kind: "bearer";
  readonly refresh: RefreshFamily;
}

/** A session of a browser, by an opaque cookie. */
export interface CookieSession extends SessionBase {
  readonly kind: "cookie";
  readonly cookieHash: string;
}

/** Where a session was begun, for its owner to recognise it by. */
export interface SessionClient {
  /** The address of the network it came from, as the throttle counts it: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  readonly userAgent: string;
}

/** The refresh tokens of a session: the one in force and the one it took the place of. */
export interface RefreshFamily {
  readonly current: RefreshToken;
  readonly previous: { readonly hash: string; readonly rotatedAt: number } | null;
}

/** What is kept of a refresh token: enough to recognise it, and to sign the very same one again. */
export interface RefreshToken {
  readonly hash: string;
  readonly tokenId: string;
  readonly keyId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}
