import { Duration } from "effect";
import type { AccountId } from "../shared/AccountId.ts";
import type { Session } from "./Session.ts";

/** Lifetimes of seed 8 and decisions 3. */
export const ACCESS_LIFETIME = Duration.hours(1);
export const REFRESH_LIFETIME = Duration.days(30);
export const SESSION_LIFETIME = Duration.days(90);

/** A session as it begins at a successful sign-in. */
export const startSession = (id: string, account: AccountId, now: number): Session => ({
  id,
  account,
  createdAt: now,
  expiresAt: now + Duration.toMillis(REFRESH_LIFETIME),
  absoluteExpiresAt: now + Duration.toMillis(SESSION_LIFETIME),
  endedAt: null,
});

/** Whether requests of this session are answered. */
export const isLive = (session: Session, now: number): boolean =>
  session.endedAt === null && now < session.expiresAt && now < session.absoluteExpiresAt;
