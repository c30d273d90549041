import { AccountId } from "../src/shared/index.ts";
import { type Session } from "../src/auth/index.ts";
import {
  ACCESS_LIFETIME,
  isLive,
  presentRefreshToken,
  refreshExpiry,
  startBearerSession,
  startCookieSession,
  startHostSession,
  useSession,
} from "../src/auth/session-state.ts";
import type { BearerSession, RefreshToken } from "../src/auth/Session.ts";
import { Duration } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_900_000_000_000;

const start = { id: "s1", account: AccountId("a@b.c"), client: { network: "192.0.2.1", userAgent: "test" } };

const tokenAt = (hash: string, issuedAt: number, expiresAt: number): RefreshToken => ({
  hash,
  tokenId: `id of ${hash}`,
  keyId: "k1",
  issuedAt,
  expiresAt,
});

const bearer = (): BearerSession => startBearerSession(start, tokenAt("t0", START, START + 30 * DAY), START);

describe("a session of an API client", () => {
  it("expires after 30 days without a refresh, used or not", () => {
    const session = bearer();
    expect(isLive(session, START + 30 * DAY - 1)).toBe(true);
    expect(isLive(session, START + 30 * DAY)).toBe(false);
    const used = useSession(session, START + 29 * DAY);
    expect(used).toEqual({ ...session, lastUsedAt: START + 29 * DAY });
    expect(isLive(used, START + 30 * DAY)).toBe(false);
  });

  it("issues tokens that expire in 30 days or with the session [S3.3-2]", () => {
    const { absoluteExpiresAt } = bearer();
    expect(absoluteExpiresAt).toBe(START + 90 * DAY);
    expect(refreshExpiry(absoluteExpiresAt, START + 59 * DAY)).toBe(START + 89 * DAY);
    expect(refreshExpiry(absoluteExpiresAt, START + 61 * DAY)).toBe(START + 90 * DAY);
  });
});

describe("a browser's session", () => {
  it("expires a day after its last use, and after 30 days at the latest [S3.5-3]", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 * HOUR }), { maxLength: 60 }), (pauses) => {
        let session: Session = startCookieSession(start, "hash", START);
        let now = START;
        for (const pause of pauses) {
          now += pause;
          const lived = isLive(session, now);
          const after = useSession(session, now);
          if (!lived) expect(after).toBe(session);
          else {
            expect(now).toBeLessThan(START + 30 * DAY);
            expect(after.expiresAt).toBeLessThanOrEqual(START + 30 * DAY);
            expect(after.expiresAt).toBeGreaterThan(Math.min(now + 24 * HOUR - 5 * MINUTE, START + 30 * DAY) - 1);
          }
          session = after;
        }
      }),
    );
  });

  it("records its use at most every five minutes", () => {
    const session = startCookieSession(start, "hash", START);
    expect(useSession(session, START + 5 * MINUTE - 1)).toBe(session);
    expect(useSession(session, START + 5 * MINUTE)).toMatchObject({
      lastUsedAt: START + 5 * MINUTE,
      expiresAt: START + 5 * MINUTE + 24 * HOUR,
    });
  });

  it("has no refresh tokens", () => {
    const session = startCookieSession(start, "hash", START);
    expect(presentRefreshToken(session, "hash", tokenAt("t1", START, START + DAY), START)).toEqual(["ended", null]);
  });
});

describe("any session", () => {
  it("has access tokens of an hour [S3.2-8]", () => {
    expect(Duration.toMillis(ACCESS_LIFETIME)).toBe(HOUR);
  });

  it("begins with the lifetime of its kind [S3.3-2] [S3.5-3] [S3.5-13]", () => {
    const cookie = startCookieSession(start, "hash", START);
    expect([cookie.expiresAt - START, cookie.absoluteExpiresAt - START]).toEqual([DAY, 30 * DAY]);
    const host = startHostSession("s1", start.account, START);
    expect([host.expiresAt - START, host.absoluteExpiresAt - START]).toEqual([30 * DAY, 30 * DAY]);
    expect([bearer().expiresAt - START, bearer().absoluteExpiresAt - START]).toEqual([30 * DAY, 90 * DAY]);
  });

  it("ends at its absolute expiry, however long its last use would extend it", () => {
    const session = { ...bearer(), expiresAt: START + 91 * DAY };
    expect(isLive(session, START + 90 * DAY - 1)).toBe(true);
    expect(isLive(session, START + 90 * DAY)).toBe(false);
  });

  it("is not used once it has ended, unless it is a host's, which begins again", () => {
    const cookie = startCookieSession(start, "hash", START);
    expect(useSession(cookie, START + DAY)).toBe(cookie);
    expect(useSession(cookie, START + DAY - 1)).toMatchObject({ lastUsedAt: START + DAY - 1 });
    const session = startHostSession("s1", start.account, START);
    expect(useSession(session, START + 30 * DAY)).toEqual(startHostSession("s1", start.account, START + 30 * DAY));
    expect(useSession(session, START + 30 * DAY - 1)).toMatchObject({
      lastUsedAt: START + 30 * DAY - 1,
      expiresAt: START + 60 * DAY - 1,
      absoluteExpiresAt: START + 60 * DAY - 1,
    });
  });
});

type Step =
  | { readonly kind: "wait"; readonly millis: number }
  /** Presents the token `back` places before the one in force. */
  | { readonly kind: "present"; readonly back: number };

const STEPS: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("wait" as const),
        millis: fc.oneof(
          fc.integer({ min: 0, max: 20 * SECOND }),
          fc.constantFrom(30 * SECOND, 30 * SECOND + 1, HOUR, 29 * DAY, 30 * DAY),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("present" as const), back: fc.constantFrom(0, 0, 0, 1, 1, 2, 3) }),
    },
  ),
  { maxLength: 40 },
);

describe("the refresh tokens of a session", () => {
  it("are valid one at a time; a replaced token returns the new one for 30 seconds, and ends the session after that [S3.3-6]", () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        let session: Session | null = bearer();
        let now = START;
        let rotatedAt = -Infinity;
        const issued = ["t0"];
        for (const step of steps) {
          if (session === null) return;
          if (step.kind === "wait") {
            now += step.millis;
            continue;
          }
          const hash = issued.at(-1 - step.back);
          if (hash === undefined) continue;
          const successor = tokenAt(`t${issued.length}`, now, refreshExpiry(session.absoluteExpiresAt, now));
          const [outcome, after]: ReturnType<typeof presentRefreshToken> = presentRefreshToken(
            session,
            hash,
            successor,
            now,
          );

          if (!isLive(session, now)) expect([outcome, after]).toEqual(["ended", null]);
          else if (step.back === 0) {
            expect(outcome).toBe("rotated");
            expect(after).toMatchObject({
              lastUsedAt: now,
              expiresAt: successor.expiresAt,
              refresh: { current: successor, previous: { hash, rotatedAt: now } },
            });
            issued.push(successor.hash);
            rotatedAt = now;
          } else if (step.back === 1 && now - rotatedAt <= 30 * SECOND) {
            expect([outcome, after]).toEqual(["repeated", session]);
          } else expect([outcome, after]).toEqual(["reused", null]);

          if (after !== null) expect(after.expiresAt).toBeLessThanOrEqual(START + 90 * DAY);
          session = after;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
