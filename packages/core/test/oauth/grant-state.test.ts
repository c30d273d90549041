import { AccountId } from "../../src/shared/index.ts";
import {
  beginRefresh,
  endRefresh,
  judgeToken,
  mayRenew,
  newGrant,
  refreshTime,
  rejectGrant,
  type RefreshOutcome,
} from "../../src/oauth/grant-state.ts";
import { type Grant, providerFault } from "../../src/oauth/index.ts";
import { Redacted } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const NOW = 1_900_000_000_000;
const HOUR = 3_600_000;
const ME = AccountId("me@example.org");
const APP = {
  id: "corp",
  provider: "oidc",
  label: null,
  issuer: "https://login.example.org",
  tenant: null,
  clientId: "c",
  secret: { _tag: "None" },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
} as const;

const tokens = (name: string, expiresIn = 3600) => ({
  accessToken: Redacted.make(`access ${name}`),
  expiresIn,
  refreshToken: Redacted.make(`refresh ${name}`),
  identity: null,
});
const fresh = newGrant(ME, ME, {
  app: APP,
  token: Redacted.make("access 0"),
  issued: tokens("0"),
  askedAt: NOW,
  delegateOf: null,
});
const lease = (token: string, now: number) => ({ token, until: now + 5_000 });
const refreshTokenOf = (grant: Grant) => (grant.refreshToken === null ? null : Redacted.value(grant.refreshToken));

describe("a token", () => {
  it("is used until 80 % of its lifetime, then while a new one is fetched, and never after its end [S11.4-2] [S11.4-6]", () => {
    const at = (part: number) => judgeToken(fresh, null, NOW + part * HOUR)._tag;
    expect([0, 0.79, 0.81, 0.94, 0.96, 2].map(at)).toEqual(["Use", "Use", "Ahead", "Ahead", "Refresh", "Refresh"]);
    expect(refreshTime(fresh, NOW)).toBe(NOW + 0.8 * HOUR);
  });

  it("that the mail server refused is not used again, and replaced once in two minutes [S11.4-12]", () => {
    const refused = Redacted.make("access 0");
    expect(judgeToken(fresh, refused, NOW)._tag).toBe("Refresh");
    expect(mayRenew(fresh, refused, NOW)).toBe(true);
    const renewed = endRefresh(
      beginRefresh(fresh, lease("a", NOW), true, NOW),
      { _tag: "Issued", issuedBy: "oidc", tokens: tokens("1"), askedAt: NOW },
      NOW,
      0,
    );
    const again = Redacted.make("access 1");
    expect(mayRenew(renewed, refused, NOW)).toBe(true);
    expect(mayRenew(renewed, again, NOW + 60_000)).toBe(false);
    expect(mayRenew(renewed, again, NOW + 121_000)).toBe(true);
  });

  it("that was refused may be replaced while the provider is asked, and after the provider issued none [S11.4-12]", () => {
    const refused = Redacted.make("access 0");
    const later = NOW + 1000;
    const begun = beginRefresh(fresh, lease("a", later), true, later);
    expect(mayRenew(begun, refused, later)).toBe(true);
    const unavailable = endRefresh(begun, { _tag: "Unavailable", retryAfter: null }, later, 0);
    expect(mayRenew(unavailable, refused, later + 60_000)).toBe(true);
  });
});

describe("a refresh", () => {
  const late = NOW + HOUR;
  const begun = beginRefresh(fresh, lease("a", late), false, late);

  it("makes others wait while its lease is held, and lets another process begin afterwards [S11.4-3]", () => {
    expect(judgeToken(begun, null, late + 4_999)._tag).toBe("Wait");
    expect(judgeToken(begun, null, late + 5_000)._tag).toBe("Refresh");
  });

  it("stores a rotated refresh token, and keeps the used one if the provider does not rotate", () => {
    const end = (refreshToken: Redacted.Redacted | null) =>
      refreshTokenOf(
        endRefresh(
          begun,
          { _tag: "Issued", issuedBy: "oidc", tokens: { ...tokens("1"), refreshToken }, askedAt: late },
          late,
          0,
        ),
      );
    expect(end(Redacted.make("rotated"))).toBe("rotated");
    expect(end(null)).toBe("refresh 0");
  });

  it("reports a lost token if a process was interrupted and the provider accepts no repeat [S11.4-7]", () => {
    const refused: RefreshOutcome = { _tag: "Refused", fault: "grant_revoked" };
    expect(endRefresh(begun, refused, late, 0)).toMatchObject({ state: "needs_reauth", fault: "grant_revoked" });
    const recovery = beginRefresh(begun, lease("b", late + 6_000), false, late + 6_000);
    expect(endRefresh(recovery, refused, late, 0)).toMatchObject({ state: "needs_reauth", fault: "token_lost" });
  });

  it("waits longer after each failure, at most five minutes, and as long as the provider asks [S11.4-11]", () => {
    let grant = begun;
    const waits = Array.from({ length: 12 }, () => {
      grant = endRefresh(
        beginRefresh(grant, lease("a", late), false, late),
        { _tag: "Unavailable", retryAfter: null },
        late,
        1,
      );
      return grant.retryAt! - late;
    });
    expect(waits.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(waits.at(-1)).toBe(300_000);
    const asked = endRefresh(begun, { _tag: "Unavailable", retryAfter: 600_000 }, late, 0);
    expect(judgeToken(asked, null, late + 599_999)._tag).toBe("Paused");
    expect(judgeToken(asked, null, late + 600_000)._tag).toBe("Refresh");
  });
});

const outcome: fc.Arbitrary<RefreshOutcome> = fc.oneof(
  fc
    .nat(99)
    .map((n): RefreshOutcome => ({ _tag: "Issued", issuedBy: "oidc", tokens: tokens(String(n)), askedAt: NOW })),
  fc.constant<RefreshOutcome>({ _tag: "Refused", fault: "grant_revoked" }),
  fc.constant<RefreshOutcome>({ _tag: "Misconfigured" }),
  fc.record({ _tag: fc.constant("Unavailable" as const), retryAfter: fc.option(fc.nat(10_000_000)) }),
);

describe("any history of a grant", () => {
  const grants = fc.array(fc.tuple(outcome, fc.nat(2 * HOUR)), { maxLength: 8 }).map((steps) => {
    let now = NOW;
    let grant = fresh;
    for (const [what, later] of steps) {
      now += later;
      if (judgeToken(grant, null, now)._tag !== "Refresh") continue;
      grant = endRefresh(beginRefresh(grant, lease("a", now), false, now), what, now, 0.5);
    }
    return { grant, now };
  });

  it("ends in a state in which a token can be used, fetched later, or only after a new consent [S11.4-11]", () => {
    fc.assert(
      fc.property(grants, ({ grant, now }) => {
        const verdict = judgeToken(grant, null, now);
        expect(verdict._tag === "NeedsReauth").toBe(grant.state === "needs_reauth");
        if (verdict._tag === "Paused") expect(verdict.retryAt).toBeGreaterThan(now);
        if (verdict._tag === "Paused") expect(verdict.retryAt - now).toBeLessThanOrEqual(HOUR);
        expect(grant.lease).toBeNull();
      }),
    );
  });

  it("never asks the provider again once the grant has ended, and keeps no access token of it", () => {
    fc.assert(
      fc.property(grants, fc.nat(1_000 * HOUR), ({ grant, now }, later) => {
        const ended = rejectGrant(grant, "token_refused");
        expect(judgeToken(ended, null, now + later)).toEqual({ _tag: "NeedsReauth", fault: "token_refused" });
        expect(refreshTime(ended, now + later)).toBe(Infinity);
        expect(ended.accessToken).toBeNull();
      }),
    );
  });
});

describe("a provider's error", () => {
  it.each([
    ["invalid_grant", "AADSTS50173: the password was changed", { _tag: "Grant", fault: "password_changed" }],
    ["invalid_grant", "AADSTS700082: expired due to inactivity", { _tag: "Grant", fault: "grant_expired" }],
    ["invalid_grant", "AADSTS50076: use multi-factor authentication", { _tag: "Grant", fault: "mfa_required" }],
    ["invalid_grant", "AADSTS65001: has not consented", { _tag: "Grant", fault: "consent_required" }],
    ["invalid_grant", undefined, { _tag: "Grant", fault: "grant_revoked" }],
    ["invalid_client", "AADSTS7000215: invalid client secret", { _tag: "App", fault: "client_secret_wrong" }],
    ["invalid_client", "AADSTS7000222: the secret is expired", { _tag: "App", fault: "client_secret_expired" }],
    ["unauthorized_client", "AADSTS700016: application not found", { _tag: "App", fault: "client_unknown" }],
    ["unauthorized_client", "AADSTS7000112: application is disabled", { _tag: "App", fault: "client_disabled" }],
    ["temporarily_unavailable", undefined, { _tag: "Unavailable" }],
    [undefined, undefined, { _tag: "Unavailable" }],
  ])("%s with %s is a fault of the right side [S11.4-9] [S11.4-10]", (error, description, expected) => {
    expect(providerFault(error, description)).toMatchObject(expected);
  });
});
