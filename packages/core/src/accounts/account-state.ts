import type { Account, AccountFailure, AccountState, AuthKind, Follow } from "./Account.ts";
import { Effect, Option, Schema } from "effect";
import type { AccountId } from "../shared/index.ts";
import { type AccountFault, GrantFault, TokenFault } from "./AccountFault.ts";
import { CREDENTIAL_CAUSES, type ConnectionCause } from "./ConnectionCause.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { causeOf, type Verification } from "./Verification.ts";

const isTokenFault = Schema.is(TokenFault);
const isGrantFault = Schema.is(GrantFault);

/** The cause to record if the mail server refused a password or an access token without details. */
const refusalOf = ({ authKind }: Account): AccountFault => (authKind === "password" ? "auth_refused" : "token_refused");

/** The minimum time between two refusals without a reason after which the second one is final, in milliseconds. */
const CONFIRMED_AFTER_MILLIS = 60_000;

/** The age at which `lastSeenAt` is written again, in milliseconds. */
const SEEN_INTERVAL_MILLIS = 5 * 60_000;

/** Returns a new account that is not managed, after a sign-in stored its credential. */
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
  follow: null,
  createdAt: now,
  lastSeenAt: null,
});

/** Returns the state of an account. If several apply, `paused` takes precedence over a refused credential, and that over an unreachable server. */
export const stateOf = (account: Account): AccountState => {
  if (account.pausedAt !== null) return "paused";
  if (account.refusedAt !== null) return "needs_reauth";
  return account.unreachable === null ? "active" : "unreachable";
};

/** Returns why an account is not active; null if it is active, or paused by its owner. */
export const reasonOf = (account: Account): AccountFailure | null => {
  const state = stateOf(account);
  if (state === "needs_reauth") return { cause: account.refusedCause ?? refusalOf(account), since: account.refusedAt! };
  return state === "unreachable" ? account.unreachable : null;
};

/** Records that the mail server accepted the account. */
export const recordSeen = (account: Account, now: number): Account => ({
  ...account,
  unreachable: null,
  refusedCause: null,
  lastSeenAt: now,
});

/** Returns whether `recordSeen` would change the state, or replace a `lastSeenAt` that is several minutes old. */
export const shouldRecordSeen = (account: Account, now: number): boolean =>
  account.unreachable !== null || account.lastSeenAt === null || now - account.lastSeenAt >= SEEN_INTERVAL_MILLIS;

/**
 * Records that the mail server accepted the credential in use. The reason of a refusal since then stays recorded: a
 * server may still accept a token after the provider has ended its grant.
 */
export const recordAccepted = (account: Account, now: number): Account =>
  account.refusedAt === null ? recordSeen(account, now) : account;

/**
 * Records that the mail server answered in an open session. An open session needs no token, so a fault of the OAuth2
 * provider stays recorded.
 */
export const recordAnswer = (account: Account, now: number): Account =>
  isTokenFault(account.unreachable?.cause) ? account : recordAccepted(account, now);

/**
 * Records that the mail server refused the credential without saying why. Returns whether the refusal is confirmed: an
 * earlier one is at least a minute old, with no success in between. Otherwise the time of the first refusal is kept.
 */
export const recordDoubt = (account: Account, now: number): readonly [isConfirmed: boolean, Account] => {
  const { unreachable } = account;
  if (unreachable?.cause !== "sign_in_unclear") {
    return [false, { ...account, unreachable: { cause: "sign_in_unclear", since: now } }];
  }
  return [now - unreachable.since >= CONFIRMED_AFTER_MILLIS, account];
};

/**
 * Records that a connection or a sign-in failed. An unreachable server keeps the time of its first failure with the
 * same cause. The vault stores the time of a refused credential.
 */
export const recordFailure = (account: Account, cause: ConnectionCause, now: number): Account => {
  if (CREDENTIAL_CAUSES.has(cause)) {
    // The provider's own reason for the missing token is more precise.
    if (isGrantFault(account.refusedCause)) return account;
    return { ...account, refusedCause: cause === "auth_refused" ? refusalOf(account) : cause };
  }
  return recordUnreachable(account, cause, now);
};

/** Records that the mail server does not open mailboxes although it did not refuse the credential. */
export const recordUnreachable = (account: Account, cause: ConnectionCause, now: number): Account => {
  // Without a token, the mail server was not contacted.
  if (isTokenFault(account.unreachable?.cause)) return account;
  const since = account.unreachable?.cause === cause ? account.unreachable.since : now;
  return { ...account, unreachable: { cause, since } };
};

/** Records that the provider issues no token; keeps the time of the first of several failures. */
export const withoutToken = (account: Account, cause: TokenFault, now: number): Account => ({
  ...account,
  unreachable: { cause, since: account.unreachable?.cause === cause ? account.unreachable.since : now },
});

/** Records that the provider issued a token again; a fault of the mail server stays recorded. */
export const withToken = (account: Account): Account =>
  isTokenFault(account.unreachable?.cause) ? { ...account, unreachable: null } : account;

/** Records that the provider ended the account's grant. */
export const withoutGrant = (account: Account, fault: GrantFault): Account => ({ ...account, refusedCause: fault });

/** Changes how the account signs in. */
export const withAuthKind = (account: Account, authKind: AuthKind, provider: string | null): Account => ({
  ...account,
  authKind,
  provider,
});

/** Pauses or resumes the account; a second call changes nothing. */
export const setPaused = (account: Account, pause: boolean, now: number): Account => ({
  ...account,
  pausedAt: pause ? (account.pausedAt ?? now) : null,
});

/** Returns tags without duplicates, sorted. */
export const tagsOf = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)].toSorted();

/** Returns the account after a verification of its stored credential, and whether the refusal of that credential is final. */
export const recordVerification = (
  known: Account,
  checked: Verification,
  now: number,
): readonly [isRefused: boolean, Account] => {
  const cause = causeOf(checked);
  if (cause === null) return [false, recordSeen(known, now)];
  const { imap, isUnclear } = checked;
  const isOfCredential = imap.cause !== null && CREDENTIAL_CAUSES.has(imap.cause);
  if (isOfCredential && isUnclear && known.refusedAt === null) {
    const [isConfirmed, next] = recordDoubt(known, now);
    return [isConfirmed, isConfirmed ? recordFailure(next, cause, now) : next];
  }
  return [isOfCredential, recordFailure(known, cause, now)];
};

/** Returns a function that returns which folders of an account are followed. */
export const followOf = Effect.map(
  AccountSettings,
  ({ follow = "inbox" }) =>
    (account: Account): Follow =>
      account.follow ?? follow,
);

/** Returns a function that tests whether all folders of an account are followed; false if there is no account. */
export const followsAllFolders = Effect.map(
  followOf,
  (of) => (account: Option.Option<Account>) => Option.exists(account, (one) => of(one) === "all"),
);

/**
 * Returns whether the credential was refused after `before` was read, for example because the provider ended its grant.
 * The mail server may still accept a token of that grant, so a verification that began earlier does not lift the refusal.
 */
export const isRefusedSince = (before: Account, { refusedAt }: Account): boolean =>
  refusedAt !== null && refusedAt !== before.refusedAt;
