import { AccountId, isLive, startSession } from "@postern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const DAY = 24 * 3600 * 1000;
const session = startSession("s1", AccountId("a@b.c"), 1_000);

describe("a session", () => {
  it("lives from its start for 30 days without use, and 90 at most", () => {
    expect(session).toMatchObject({ createdAt: 1_000, endedAt: null });
    expect(session.expiresAt).toBe(1_000 + 30 * DAY);
    expect(session.absoluteExpiresAt).toBe(1_000 + 90 * DAY);
  });

  it("is live up to the millisecond before it expires, and never again once ended", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 * DAY }), fc.boolean(), (after, ended) => {
        const seen = ended ? { ...session, endedAt: 1_000 } : session;
        expect(isLive(seen, 1_000 + after)).toBe(!ended && after < 30 * DAY);
      }),
    );
    expect(isLive(session, session.expiresAt - 1)).toBe(true);
    expect(isLive(session, session.expiresAt)).toBe(false);
  });

  it("does not outlive its absolute end, however often it was used", () => {
    const used = { ...session, expiresAt: session.absoluteExpiresAt + DAY };
    expect(isLive(used, session.absoluteExpiresAt - 1)).toBe(true);
    expect(isLive(used, session.absoluteExpiresAt)).toBe(false);
  });
});
