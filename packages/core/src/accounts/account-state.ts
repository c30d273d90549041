import type { Account, AccountFailure, AccountState } from "./Account.ts";
import type { AccountId } from "../shared/index.ts";
import { CREDENTIAL_CAUSES, type ConnectionCause } from "./ConnectionCause.ts";

/** How stale `lastSeenAt` may be before it is written again, in milliseconds. */
const SEEN_EVERY = 5 * 60_000;

/** Returns an account that is not managed, with the credential that a sign-in kept. */
export const newAccount = (id: AccountId, now: number): Account => ({
  id,
  name: null,
  managed: false,
  pausedAt: null,
  unreachable: null,
  refusedAt: null,
  refusedCause: null,
  authKind: "password",
  provider: null,
  servers: null,
  capabilities: [],
  tags: [],
  createdAt: now,
  lastSeenAt: null,
});

/** Returns the state of an account: a pause hides a refused credential, which hides an unreachable server. */
export const stateOf = (account: Account): AccountState => {
  if (account.pausedAt !== null) return "paused";
  if (account.refusedAt !== null) return "needs_reauth";
  return account.unreachable === null ? "active" : "unreachable";
};

/** Returns why an account is not active; null if it is active, or paused by its owner. */
export const reasonOf = (account: Account): AccountFailure | null => {
  const state = stateOf(account);
  if (state === "needs_reauth") return { cause: account.refusedCause ?? "auth_refused", since: account.refusedAt! };
  return state === "unreachable" ? account.unreachable : null;
};

/** The mail server accepted the account. */
export const seen = (account: Account, now: number): Account => ({
  ...account,
  unreachable: null,
  refusedCause: null,
  lastSeenAt: now,
});

/** Whether `seen` would change more than the last minutes of `lastSeenAt`. */
export const isSeenDue = (account: Account, now: number): boolean =>
  account.unreachable !== null || account.lastSeenAt === null || now - account.lastSeenAt >= SEEN_EVERY;

/**
 * A connection or a sign-in failed. An unreachable server keeps the time of its first failure with the same cause; that
 * of a refused credential is the vault's.
 */
export const failed = (account: Account, cause: ConnectionCause, now: number): Account => {
  if (CREDENTIAL_CAUSES.has(cause)) return { ...account, refusedCause: cause };
  const since = account.unreachable?.cause === cause ? account.unreachable.since : now;
  return { ...account, unreachable: { cause, since } };
};

/** Pauses or resumes the account; repeated, it changes nothing. */
export const paused = (account: Account, pause: boolean, now: number): Account => ({
  ...account,
  pausedAt: pause ? (account.pausedAt ?? now) : null,
});

/** Returns tags without duplicates, sorted. */
export const tagsOf = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)].toSorted();
