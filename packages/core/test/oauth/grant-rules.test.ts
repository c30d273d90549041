import { Redacted } from "effect";
import { describe, expect, it } from "vitest";
import {
  beginRefresh,
  endRefresh,
  isSameUser,
  judgeToken,
  mayRenew,
  newGrant,
  refreshTime,
} from "../../src/oauth/grant-state.ts";
import { appOf, type Grant, providerFault } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";

const NOW = 1_900_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ME = AccountId("me@example.org");

const read = appOf({ id: "corp", provider: "google", clientId: "c" });
if ("faults" in read) throw new Error("the app is at fault");
const { app } = read;
const identity = { issuer: "https://id.example", subject: "1", address: ME, mailboxes: [ME] } as never;
const token = Redacted.make("access");
const offered = {
  app,
  token,
  issued: { accessToken: token, expiresIn: 1000, refreshToken: Redacted.make("refresh"), identity },
  askedAt: NOW,
  delegateOf: null,
};
const fresh = newGrant(ME, "Me@example.org", offered);
const old = NOW + HOUR;
const lease = { token: "lease", until: old + 15 * SECOND };
const begun = beginRefresh(fresh, lease, false, old);
const issued = (askedAt: number) =>
  ({
    _tag: "Issued",
    askedAt,
    issuedBy: "google",
    tokens: { accessToken: Redacted.make("next"), expiresIn: 3600, refreshToken: null, identity: null },
  }) as const;

describe("a new grant", () => {
  it("has the issued tokens, the user who consented, and no failures", () => {
    expect(fresh).toEqual({
      account: ME,
      username: "Me@example.org",
      app: "corp",
      refreshToken: offered.issued.refreshToken,
      issuedBy: "google",
      identity: { issuer: "https://id.example", subject: "1" },
      delegateOf: null,
      state: "active",
      accessToken: { token, issuedAt: NOW, expiresAt: NOW + 1000 * SECOND },
      lease: null,
      interrupted: false,
      renewedAt: null,
      fault: null,
      failures: 0,
      retryAt: null,
    });
  });

  it("of a shared mailbox has no tokens of its own", () => {
    const owner = AccountId("owner@example.org");
    expect(newGrant(ME, ME, { ...offered, issued: null, delegateOf: owner })).toMatchObject({
      refreshToken: null,
      accessToken: null,
      identity: null,
      delegateOf: owner,
    });
  });

  it("replaces only a grant of the same user, if both users are known [S11.2-5]", () => {
    const by = (issuer: string, subject: string) =>
      isSameUser(fresh, { ...offered, issued: { ...offered.issued, identity: { issuer, subject } as never } });
    expect(by("https://id.example", "1")).toBe(true);
    expect(by("https://id.example", "2")).toBe(false);
    expect(by("https://other.example", "1")).toBe(false);
    expect(isSameUser(fresh, { ...offered, issued: null })).toBe(true);
    expect(isSameUser({ ...fresh, identity: null }, offered)).toBe(true);
  });
});

describe("a token, to the millisecond", () => {
  it("is replaced early from 80 % of its lifetime, and no longer used from 95 % [S11.4-2]", () => {
    const at = (seconds: number, more = 0) => judgeToken(fresh, null, NOW + seconds * SECOND + more)._tag;
    expect([at(800, -1), at(800), at(950, -1), at(950)]).toEqual(["Use", "Ahead", "Ahead", "Refresh"]);
  });

  it("is used while another process fetches its successor, and during the pause after a failure [S11.4-6]", () => {
    const at = NOW + 900 * SECOND;
    expect(judgeToken(beginRefresh(fresh, { ...lease, until: at + 1 }, false, at), null, at)._tag).toBe("Use");
    for (const state of ["app_misconfigured", "provider_unavailable"] as const) {
      const paused: Grant = { ...fresh, state, retryAt: at + 1 };
      expect(judgeToken(paused, null, at)._tag).toBe("Use");
      expect(judgeToken(paused, null, at + 1)._tag).toBe("Ahead");
      expect(judgeToken({ ...paused, accessToken: null }, null, at)).toEqual({
        _tag: "Paused",
        state,
        retryAt: at + 1,
      });
    }
  });

  it("counts as being fetched by another process only while that process holds the lease", () => {
    expect(judgeToken(begun, null, lease.until - 1)._tag).toBe("Wait");
    expect(judgeToken(begun, null, lease.until)._tag).toBe("Refresh");
    expect(judgeToken({ ...begun, lease: null }, null, old)._tag).toBe("Refresh");
  });

  it("that was refused is replaced again after two minutes", () => {
    const renewed: Grant = { ...fresh, renewedAt: NOW };
    expect(mayRenew(renewed, token, NOW + 2 * MINUTE - 1)).toBe(false);
    expect(mayRenew(renewed, token, NOW + 2 * MINUTE)).toBe(true);
    expect(mayRenew(renewed, Redacted.make("older"), NOW)).toBe(true);
    expect(mayRenew({ ...renewed, accessToken: null }, token, NOW)).toBe(true);
  });

  it("is not usable if it is the refused one", () => {
    expect(judgeToken(fresh, Redacted.make("older"), NOW)._tag).toBe("Use");
    expect(judgeToken(fresh, token, NOW)._tag).toBe("Refresh");
  });
});

describe("the time of the next refresh", () => {
  it("is now if a token is due, and never once the grant has ended", () => {
    expect(refreshTime(fresh, NOW + 850 * SECOND)).toBe(NOW + 850 * SECOND);
    expect(refreshTime(fresh, old)).toBe(old);
    expect(refreshTime({ ...fresh, state: "needs_reauth" }, NOW)).toBe(Infinity);
  });

  it("is at 80 % of the token's lifetime, after the lease of another process and after a failure's pause", () => {
    expect(refreshTime(fresh, NOW)).toBe(NOW + 800 * SECOND);
    expect(refreshTime(begun, old)).toBe(lease.until);
    const at = NOW + 900 * SECOND;
    expect(refreshTime({ ...fresh, state: "provider_unavailable", retryAt: at + HOUR }, at)).toBe(at + HOUR);
    expect(refreshTime({ ...begun, accessToken: null }, old)).toBe(lease.until);
    expect(refreshTime({ ...begun, accessToken: null, lease: { ...lease, until: old + 1 } }, old)).toBe(old + 1);
  });
});

describe("a refresh that begins", () => {
  it("holds the lease, and records a refusal and an interruption", () => {
    expect(begun).toMatchObject({ state: "refreshing", lease, interrupted: false, renewedAt: null });
    expect(beginRefresh(fresh, lease, true, old).renewedAt).toBe(old);
    expect(beginRefresh({ ...fresh, renewedAt: NOW }, lease, false, old).renewedAt).toBe(NOW);
    expect(beginRefresh(begun, lease, false, old).interrupted).toBe(true);
    expect(beginRefresh({ ...fresh, interrupted: true }, lease, false, old).interrupted).toBe(true);
  });
});

describe("a refresh that ends", () => {
  it("with a token forgets failures, interruptions and faults; the token's lifetime begins at the request", () => {
    const failed: Grant = { ...begun, interrupted: true, failures: 3, fault: "token_lost", retryAt: old };
    expect(endRefresh(failed, issued(old - SECOND), old, 0)).toEqual({
      ...failed,
      state: "active",
      accessToken: { token: Redacted.make("next"), issuedAt: old - SECOND, expiresAt: old - SECOND + HOUR },
      lease: null,
      interrupted: false,
      failures: 0,
      fault: null,
      retryAt: null,
    });
  });

  it("with a refusal ends the grant and forgets its access token", () => {
    expect(endRefresh(begun, { _tag: "Refused", fault: "mfa_required" }, old, 0)).toEqual({
      ...begun,
      state: "needs_reauth",
      fault: "mfa_required",
      lease: null,
      retryAt: null,
      accessToken: null,
    });
  });

  it("because of a refused app is repeated in a minute [S11.4-10]", () => {
    const ended = endRefresh({ ...begun, failures: 1 }, { _tag: "Misconfigured" }, old, 0);
    expect(ended).toMatchObject({ state: "app_misconfigured", failures: 2, retryAt: old + MINUTE, lease: null });
  });

  it("without an answer of the provider waits for half to all of 2 s · 2ⁿ, or as long as the provider asks, at most an hour [S11.4-11]", () => {
    const wait = (failures: number, retryAfter: number | null, random: number) => {
      const ended = endRefresh({ ...begun, failures }, { _tag: "Unavailable", retryAfter }, old, random);
      expect(ended).toMatchObject({ state: "provider_unavailable", failures: failures + 1, lease: null });
      return (ended.retryAt ?? 0) - old;
    };
    expect([0, 1, 2, 20].map((failures) => wait(failures, null, 0))).toEqual([1000, 2000, 4000, 150_000]);
    expect([0, 1, 2, 20].map((failures) => wait(failures, null, 1))).toEqual([2000, 4000, 8000, 300_000]);
    expect(wait(0, 1, 1)).toBe(2000);
    expect(wait(0, MINUTE, 1)).toBe(MINUTE);
    expect(wait(0, 2 * HOUR, 1)).toBe(HOUR);
  });
});

describe("a provider's error", () => {
  it.each([
    ["50173", "password_changed"],
    ["700082", "grant_expired"],
    ["70043", "grant_expired"],
    ["70008", "grant_expired"],
    ["700084", "grant_expired"],
    ["50076", "mfa_required"],
    ["50079", "mfa_required"],
    ["50078", "mfa_required"],
    ["65001", "consent_required"],
    ["50057", "grant_revoked"],
    ["7000215", "client_secret_wrong"],
    ["7000222", "client_secret_expired"],
    ["700016", "client_unknown"],
    ["7000112", "client_disabled"],
    ["700027", "client_secret_wrong"],
    ["90002", "client_refused"],
  ])("with Microsoft's number %s means %s, whatever its code [S11.4-9]", (number, fault) => {
    expect(providerFault("invalid_request", `AADSTS${number}: words`)).toMatchObject({ fault });
  });

  it.each([
    ["invalid_grant", "Grant", "grant_revoked"],
    ["interaction_required", "Grant", "mfa_required"],
    ["login_required", "Grant", "mfa_required"],
    ["consent_required", "Grant", "consent_required"],
    ["invalid_client", "App", "client_secret_wrong"],
    ["unauthorized_client", "App", "client_refused"],
    ["unsupported_grant_type", "App", "client_refused"],
    ["invalid_scope", "App", "client_refused"],
    ["invalid_request", "App", "client_refused"],
  ])("with the code %s alone is a fault of the %s: %s [S11.4-9]", (error, _tag, fault) => {
    expect(providerFault(error, "AADSTS1: a number that is not known")).toEqual({ _tag, fault });
  });
});
