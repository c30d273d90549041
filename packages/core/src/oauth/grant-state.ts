import { Duration, Redacted } from "effect";
import type { GrantFault } from "../accounts/neighbours.ts";
import type { AccountId, Lease } from "../shared/index.ts";
import type { AccessToken, Grant } from "./Grant.ts";
import { issuerOf } from "./OAuthApp.ts";
import type { OfferedGrant } from "./OfferedGrant.ts";
import type { IssuedTokens } from "./ports/AuthorizationServer.ts";

/** The share of a token's lifetime after which it is replaced. */
const REFRESHED_AFTER = 0.8;
/** The share of a token's lifetime after which the token is no longer used, so that it does not expire before the mail server checks it. */
const USABLE_FOR = 0.95;
/** How long a token that replaced a refused token is not itself replaced. */
const RENEWAL_PAUSE = Duration.toMillis("2 minutes");
const FIRST_BACKOFF = Duration.toMillis("2 seconds");
const MAX_BACKOFF_MILLIS = Duration.toMillis("5 minutes");
const MAX_RETRY_AFTER_MILLIS = Duration.toMillis("1 hour");
/** The interval between attempts to find out whether the provider accepts a misconfigured app again. */
export const APP_PAUSE = Duration.toMillis("1 minute");

/**
 * The decision about a token that is needed now. `Ahead`: the token can be used, and a new one should be fetched.
 * `Refresh`: a new token must be fetched first. `Wait`: another process fetches the token.
 */
export type TokenVerdict =
  | { readonly _tag: "Use"; readonly token: AccessToken }
  | { readonly _tag: "Ahead"; readonly token: AccessToken }
  | { readonly _tag: "Refresh" }
  | { readonly _tag: "Wait" }
  | { readonly _tag: "Paused"; readonly state: "app_misconfigured" | "provider_unavailable"; readonly retryAt: number }
  | { readonly _tag: "NeedsReauth"; readonly fault: GrantFault };

/** The provider's answer to a request for a token. */
export type RefreshOutcome =
  | {
      readonly _tag: "Issued";
      readonly tokens: IssuedTokens;
      readonly askedAt: number;
      /** The name of the app's authorization server (`issuerOf`). */
      readonly issuedBy: string;
    }
  | { readonly _tag: "Refused"; readonly fault: GrantFault }
  | { readonly _tag: "Misconfigured" }
  | { readonly _tag: "Unavailable"; readonly retryAfter: number | null };

const partOf = ({ issuedAt, expiresAt }: AccessToken, part: number): number => issuedAt + part * (expiresAt - issuedAt);

/** Returns whether two access tokens are the same. */
export const isSameToken = (one: Redacted.Redacted, other: Redacted.Redacted | null): boolean =>
  other !== null && Redacted.value(one) === Redacted.value(other);

/** Decides about a token. `refused` is a token that the mail server refused. */
export const judgeToken = (grant: Grant, refused: Redacted.Redacted | null, now: number): TokenVerdict => {
  if (grant.state === "needs_reauth") return { _tag: "NeedsReauth", fault: grant.fault ?? "grant_revoked" };
  const { accessToken: token, lease, state, retryAt } = grant;
  const usable =
    token !== null && now < partOf(token, USABLE_FOR) && !isSameToken(token.token, refused) ? token : undefined;
  if (usable !== undefined && now < partOf(usable, REFRESHED_AFTER)) return { _tag: "Use", token: usable };
  const isAsking = state === "refreshing" && lease !== null && now < lease.until;
  if (isAsking) return usable === undefined ? { _tag: "Wait" } : { _tag: "Use", token: usable };
  if (retryAt !== null && now < retryAt && (state === "app_misconfigured" || state === "provider_unavailable")) {
    return usable === undefined ? { _tag: "Paused", state, retryAt } : { _tag: "Use", token: usable };
  }
  return usable === undefined ? { _tag: "Refresh" } : { _tag: "Ahead", token: usable };
};

/**
 * Returns the time at which the next token should be fetched; a time up to `now` means at once. Infinity after the end
 * of the grant.
 */
export const refreshTime = (grant: Grant, now: number): number => {
  const verdict = judgeToken(grant, null, now);
  if (verdict._tag === "Ahead" || verdict._tag === "Refresh") return now;
  if (verdict._tag === "NeedsReauth") return Infinity;
  const { accessToken: token, lease, retryAt } = grant;
  return Math.max(token === null ? now + 1 : partOf(token, REFRESHED_AFTER), lease?.until ?? 0, retryAt ?? 0);
};

/**
 * Returns whether a refused token may be replaced. False if it is the current token and was itself just fetched as a
 * replacement. A token from before the last renewal is no replacement: it is still current while the provider is asked,
 * and after the provider issued none.
 */
export const mayRenew = ({ accessToken, renewedAt }: Grant, refused: Redacted.Redacted, now: number): boolean =>
  accessToken === null ||
  !isSameToken(accessToken.token, refused) ||
  renewedAt === null ||
  accessToken.issuedAt < renewedAt ||
  now - renewedAt >= RENEWAL_PAUSE;

/** Records that a process begins a request to the provider. An expired lease shows that another process was interrupted in this step. */
export const beginRefresh = (grant: Grant, lease: Lease, isRenewal: boolean, now: number): Grant => ({
  ...grant,
  state: "refreshing",
  lease,
  interrupted: grant.interrupted || grant.state === "refreshing",
  renewedAt: isRenewal ? now : grant.renewedAt,
});

/** Records the provider's answer. A rotated refresh token replaces the used one. */
export const endRefresh = (grant: Grant, outcome: RefreshOutcome, now: number, random: number): Grant => {
  const ended = { ...grant, lease: null, retryAt: null };
  switch (outcome._tag) {
    case "Issued": {
      const { tokens, askedAt, issuedBy } = outcome;
      return {
        ...ended,
        state: "active",
        accessToken: {
          token: tokens.accessToken,
          issuedAt: askedAt,
          expiresAt: askedAt + tokens.expiresIn * 1000,
        },
        refreshToken: tokens.refreshToken ?? grant.refreshToken,
        issuedBy,
        interrupted: false,
        failures: 0,
        fault: null,
      };
    }
    case "Refused":
      return rejectGrant(ended, grant.interrupted ? "token_lost" : outcome.fault);
    case "Misconfigured":
      return { ...ended, state: "app_misconfigured", failures: grant.failures + 1, retryAt: now + APP_PAUSE };
    case "Unavailable": {
      const failures = grant.failures + 1;
      const backoff = Math.min(FIRST_BACKOFF * 2 ** (failures - 1), MAX_BACKOFF_MILLIS) * (0.5 + random / 2);
      const asked = Math.min(outcome.retryAfter ?? 0, MAX_RETRY_AFTER_MILLIS);
      return { ...ended, state: "provider_unavailable", failures, retryAt: now + Math.max(backoff, asked) };
    }
  }
};

/** Records the end of the grant: its tokens are deleted, and the provider is not asked again. */
export const rejectGrant = (grant: Grant, fault: GrantFault): Grant => ({
  ...grant,
  state: "needs_reauth",
  fault,
  lease: null,
  retryAt: null,
  accessToken: null,
});

/** Returns the grant of an account whose mail server accepted the offered token. */
export const newGrant = (account: AccountId, username: string, offered: OfferedGrant): Grant => {
  const { app, issued, askedAt, delegateOf } = offered;
  const expiresAt = askedAt + (issued?.expiresIn ?? 0) * 1000;
  return {
    account,
    username,
    app: app.id,
    refreshToken: issued?.refreshToken ?? null,
    issuedBy: issuerOf(app),
    identity: issued?.identity == null ? null : { issuer: issued.identity.issuer, subject: issued.identity.subject },
    delegateOf,
    state: "active",
    accessToken: issued === null ? null : { token: issued.accessToken, issuedAt: askedAt, expiresAt },
    lease: null,
    interrupted: false,
    renewedAt: null,
    fault: null,
    failures: 0,
    retryAt: null,
  };
};

/** Returns whether a new consent may replace a grant: both must be by the same user, if both users are known. */
export const isSameUser = (before: Grant, offered: OfferedGrant): boolean => {
  const [known, other] = [before.identity, offered.issued?.identity ?? null];
  return known === null || other === null || (known.issuer === other.issuer && known.subject === other.subject);
};
