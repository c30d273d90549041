import { Duration } from "effect";
import { isSameHash } from "../auth/index.ts";
import type { AgentGrant } from "./AgentGrant.ts";

/** Lifetimes of tokens (spec 13.3). A refresh extends the grant. */
export const ACCESS_TOKEN_LIFETIME = Duration.hours(1);
export const GRANT_LIFETIME = Duration.days(30);

/** Precision of `lastUsedAt`, so that not every request writes. */
const USE_PRECISION = Duration.minutes(1);

/** The hashes of a new pair of tokens. */
export interface TokenHashes {
  readonly access: string;
  readonly refresh: string;
}

/** The values with which a grant begins. */
export type GrantStart = Pick<AgentGrant, "id" | "account" | "name" | "client" | "scopes" | "sendPolicy"> & {
  readonly family: string;
};

const withTokens = ({ access, refresh }: TokenHashes, family: string, now: number) => ({
  access: { hash: access, expiresAt: now + Duration.toMillis(ACCESS_TOKEN_LIFETIME) },
  refresh: { hash: refresh, family },
  expiresAt: now + Duration.toMillis(GRANT_LIFETIME),
});

/** Returns a new grant with its first tokens. */
export const startGrant = ({ family, ...start }: GrantStart, hashes: TokenHashes, now: number): AgentGrant => ({
  ...start,
  createdAt: now,
  lastUsedAt: null,
  ...withTokens(hashes, family, now),
});

/** Returns whether the grant has not expired. */
export const isGrantLive = ({ expiresAt }: AgentGrant, now: number): boolean => now < expiresAt;

/** Returns whether a token with this hash is the grant's access token and has not expired. */
export const acceptsAccess = ({ access }: AgentGrant, hash: string, now: number): boolean =>
  isSameHash(access.hash, hash) && now < access.expiresAt;

/** Returns whether `lastUsedAt` is old enough to be written again. */
export const isUseDue = ({ lastUsedAt }: AgentGrant, now: number): boolean =>
  lastUsedAt === null || now - lastUsedAt >= Duration.toMillis(USE_PRECISION);

/** The parts of a refresh token that a client presents, as hashes. */
export interface PresentedRefresh {
  readonly hash: string;
  readonly family: string;
  readonly clientId: string;
}

/**
 * The outcome of presenting a refresh token. `rotated`: the successor is now current. `reused`: the token was replaced,
 * so another party has a copy, and the grant ends. `unknown`: the token does not belong to this grant or to this
 * client.
 */
export type RefreshOutcome = "rotated" | "reused" | "unknown" | "ended";

/** Returns the outcome of presenting a refresh token, and the grant afterwards; null if the grant ends (spec 13.3). */
export const presentRefresh = (
  grant: AgentGrant,
  { hash, family, clientId }: PresentedRefresh,
  successor: TokenHashes,
  now: number,
): readonly [RefreshOutcome, AgentGrant | null] => {
  if (!isGrantLive(grant, now)) return ["ended", grant];
  if (!isSameHash(grant.refresh.family, family) || grant.client.id !== clientId) return ["unknown", grant];
  if (!isSameHash(grant.refresh.hash, hash)) return ["reused", null];
  return ["rotated", { ...grant, ...withTokens(successor, grant.refresh.family, now) }];
};
