import { Duration } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { BearerSession, CookieSession, HostSession, RefreshToken, Session, SessionClient } from "./Session.ts";

/** Lifetimes (spec 3.3, 3.5). */
export const ACCESS_LIFETIME = Duration.hours(1);
export const REFRESH_LIFETIME = Duration.days(30);
export const SESSION_LIFETIME = Duration.days(90);
export const COOKIE_IDLE_LIFETIME = Duration.hours(24);
export const COOKIE_LIFETIME = Duration.days(30);
/** How long a host's session lasts after the last use of the account. */
export const HOST_IDLE_LIFETIME = Duration.days(30);
/** How long a replaced refresh token still returns its successor (spec 3). */
export const REFRESH_GRACE = Duration.seconds(30);
/** Precision of `lastUsedAt`, so that not every request writes. */
const USE_PRECISION = Duration.minutes(5);

/** The values that every new session starts with. */
export interface SessionStart {
  readonly id: string;
  readonly account: AccountId;
  readonly client: SessionClient;
}

/** Returns the expiry of a refresh token issued now: 30 days from now, or the end of its session if that is earlier. */
export const refreshExpiry = (absoluteExpiresAt: number, now: number): number =>
  Math.min(now + Duration.toMillis(REFRESH_LIFETIME), absoluteExpiresAt);

/** Returns a new session of an API client with its first refresh token. */
export const startBearerSession = (start: SessionStart, refresh: RefreshToken, now: number): BearerSession => ({
  ...start,
  kind: "bearer",
  createdAt: now,
  lastUsedAt: now,
  expiresAt: refresh.expiresAt,
  absoluteExpiresAt: now + Duration.toMillis(SESSION_LIFETIME),
  refresh: { current: refresh, previous: null },
});

/** Returns a new session of a browser. */
export const startCookieSession = (start: SessionStart, cookieHash: string, now: number): CookieSession => ({
  ...start,
  kind: "cookie",
  createdAt: now,
  lastUsedAt: now,
  expiresAt: now + Duration.toMillis(COOKIE_IDLE_LIFETIME),
  absoluteExpiresAt: now + Duration.toMillis(COOKIE_LIFETIME),
  cookieHash,
});

/** Returns a new session of the program that embeds the service. */
export const startHostSession = (id: string, account: AccountId, now: number): HostSession => ({
  id,
  account,
  client: { network: "", userAgent: "" },
  kind: "host",
  createdAt: now,
  lastUsedAt: now,
  ...hostExpiry(now),
});

/** Returns the expiry of a host's session after a use. It has no absolute expiry. */
const hostExpiry = (now: number) => {
  const expiresAt = now + Duration.toMillis(HOST_IDLE_LIFETIME);
  return { expiresAt, absoluteExpiresAt: expiresAt };
};

/** Returns whether the session has not expired. */
export const isLive = (session: Session, now: number): boolean =>
  now < session.expiresAt && now < session.absoluteExpiresAt;

/** Returns whether `lastUsedAt` is old enough to be written again. */
export const isUseDue = (session: Session, now: number): boolean =>
  now - session.lastUsedAt >= Duration.toMillis(USE_PRECISION);

/**
 * Returns the session after a use. A use extends a browser's session by a day and a host's session by 30 days, and begins a
 * host's session again if it has ended and is not erased yet. Only a refresh extends an API client's session.
 */
export const useSession = (session: Session, now: number): Session => {
  if (session.kind === "host" && !isLive(session, now)) return startHostSession(session.id, session.account, now);
  if (!isLive(session, now) || !isUseDue(session, now)) return session;
  if (session.kind === "bearer") return { ...session, lastUsedAt: now };
  if (session.kind === "host") return { ...session, lastUsedAt: now, ...hostExpiry(now) };
  const expiresAt = Math.min(now + Duration.toMillis(COOKIE_IDLE_LIFETIME), session.absoluteExpiresAt);
  return { ...session, lastUsedAt: now, expiresAt };
};

/**
 * The outcome of presenting a refresh token. `rotated`: the token was current, and its successor now is. `repeated`:
 * the token was just replaced and the client may not have received the successor, so the same successor is returned.
 * `reused`: the token was replaced earlier, so another party has a copy. `ended`: the session has ended.
 */
export type RefreshOutcome = "rotated" | "repeated" | "reused" | "ended";

/** Returns the outcome of presenting a refresh token, and the session afterwards; null if the session ends (spec 3). */
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
