import { Duration } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { BearerSession, CookieSession, RefreshToken, Session, SessionClient } from "./Session.ts";

/** Lifetimes of spec 3.3 and 3.5. */
export const ACCESS_LIFETIME = Duration.hours(1);
export const REFRESH_LIFETIME = Duration.days(30);
export const SESSION_LIFETIME = Duration.days(90);
export const COOKIE_IDLE_LIFETIME = Duration.hours(24);
export const COOKIE_LIFETIME = Duration.days(30);
/** How long the parent of a refresh token is answered with that same token once more (spec 3). */
export const REFRESH_GRACE = Duration.seconds(30);
/** How exactly `lastUsedAt` is kept: a write with every request would cost more than it tells. */
const USE_PRECISION = Duration.minutes(5);

/** Who begins a session. */
export interface SessionStart {
  readonly id: string;
  readonly account: AccountId;
  readonly client: SessionClient;
}

/** When a refresh token issued now expires: 30 days on, and never after its session. */
export const refreshExpiry = (absoluteExpiresAt: number, now: number): number =>
  Math.min(now + Duration.toMillis(REFRESH_LIFETIME), absoluteExpiresAt);

/** A session as it begins for an API client, with its first refresh token. */
export const startBearerSession = (start: SessionStart, refresh: RefreshToken, now: number): BearerSession => ({
  ...start,
  kind: "bearer",
  createdAt: now,
  lastUsedAt: now,
  expiresAt: refresh.expiresAt,
  absoluteExpiresAt: now + Duration.toMillis(SESSION_LIFETIME),
  refresh: { current: refresh, previous: null },
});

/** A session as it begins for a browser. */
export const startCookieSession = (start: SessionStart, cookieHash: string, now: number): CookieSession => ({
  ...start,
  kind: "cookie",
  createdAt: now,
  lastUsedAt: now,
  expiresAt: now + Duration.toMillis(COOKIE_IDLE_LIFETIME),
  absoluteExpiresAt: now + Duration.toMillis(COOKIE_LIFETIME),
  cookieHash,
});

/** Whether requests of this session are answered. */
export const isLive = (session: Session, now: number): boolean =>
  now < session.expiresAt && now < session.absoluteExpiresAt;

/** Whether a request is to be written down as the last use. */
export const isUseDue = (session: Session, now: number): boolean =>
  now - session.lastUsedAt >= Duration.toMillis(USE_PRECISION);

/** A session that was used: a browser's lives another day, an API client's is prolonged by refreshing alone. */
export const useSession = (session: Session, now: number): Session => {
  if (!isLive(session, now) || !isUseDue(session, now)) return session;
  const expiresAt = Math.min(now + Duration.toMillis(COOKIE_IDLE_LIFETIME), session.absoluteExpiresAt);
  return session.kind === "cookie" ? { ...session, lastUsedAt: now, expiresAt } : { ...session, lastUsedAt: now };
};

/**
 * What a refresh token of a session turns out to be. `rotated`: it was in force, and the successor is now. `repeated`:
 * it is the parent of the one in force, whose answer may have been lost; the one in force is given again. `reused`: it
 * had its turn, so somebody else has a copy. `ended`: its session is over.
 */
export type RefreshOutcome = "rotated" | "repeated" | "reused" | "ended";

/** A refresh token is shown (spec 3): the outcome, and the session after it, null where that ends it. */
export const presentRefreshToken = (
  session: Session,
  hash: string,
  successor: RefreshToken,
  now: number,
): readonly [RefreshOutcome, Session | null] => {
  if (session.kind !== "bearer" || !isLive(session, now)) return ["ended", null];
  const { current, previous } = session.refresh;
  if (hash === current.hash) {
    const refresh = { current: successor, previous: { hash, rotatedAt: now } };
    return ["rotated", { ...session, lastUsedAt: now, expiresAt: successor.expiresAt, refresh }];
  }
  const isParent = hash === previous?.hash && now - previous.rotatedAt <= Duration.toMillis(REFRESH_GRACE);
  return isParent ? ["repeated", session] : ["reused", null];
};
