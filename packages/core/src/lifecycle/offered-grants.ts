import { Clock, Effect, Option, type Redacted } from "effect";
import { type Account, AccountDirectory, recordSeen } from "../accounts/index.ts";
import {
  placeForSignIn,
  type serverCandidates,
  serversForToken,
  type SignInPlace,
  withAuthKind,
} from "../accounts/neighbours.ts";
import { EventPublisher } from "../events/index.ts";
import { CredentialVault } from "../auth/index.ts";
import {
  AccessTokens,
  AppNotFound,
  Apps,
  AuthorizationServer,
  GrantInvalid,
  Grants,
  type OAuthApp,
  OtherIdentity,
  tokenServersOf,
} from "../oauth/index.ts";
import { isSameUser, mayOpen, newGrant, OTHER_DOMAIN, type OfferedGrant } from "../oauth/neighbours.ts";
import { OutgoingJournal } from "../send/index.ts";
import { resume as resumed } from "../send/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";

/** A grant from an application, for an account that signs in with tokens. */
export interface NamedGrant {
  /** The id of the app; undefined if it is the app of `delegateOf`. */
  readonly app: string | undefined;
  /** The refresh token; undefined for an app in application or hook mode. */
  readonly refreshToken: Redacted.Redacted | undefined;
  readonly delegateOf: AccountId | undefined;
}

/** The services that fetch, check and store the grants with which accounts sign in. */
export const offeredGrants = Effect.all({
  apps: Apps,
  server: AuthorizationServer,
  tokens: AccessTokens,
  grants: Grants,
  vault: CredentialVault,
  directory: AccountDirectory,
  publisher: EventPublisher,
  journal: OutgoingJournal,
});
type OfferedGrants = Effect.Success<typeof offeredGrants>;

/** Returns the grant that an application gives, with its first access token. */
export const fetchOffered = Effect.fn("fetchOffered")(function* (
  on: OfferedGrants,
  account: AccountId,
  { app: id, refreshToken, delegateOf }: NamedGrant,
) {
  const askedAt = yield* Clock.currentTimeMillis;
  if (delegateOf !== undefined) return yield* fetchDelegated(on, delegateOf, id, askedAt);
  const app = id === undefined ? yield* new AppNotFound() : yield* on.apps.get(id);
  const issued = yield* issue(on, app, account, refreshToken);
  return { app, token: issued.accessToken, issued, askedAt, delegateOf: null } satisfies OfferedGrant;
});

/** Fails if the app does not serve the domain, or if another user consented before. */
export const checkOffered = Effect.fnUntraced(function* (on: OfferedGrants, account: AccountId, offered: OfferedGrant) {
  if (!mayOpen(offered.app, account)) return yield* new GrantInvalid({ reason: OTHER_DOMAIN });
  yield* checkUser(on, account, offered);
});

/**
 * Stores a grant and resumes its shared mailboxes, in the transaction of the sign-in. A grant is stored only after a
 * mail server accepted its token (spec 11.2).
 */
export const keepOffered = Effect.fnUntraced(function* (
  on: OfferedGrants,
  account: AccountId,
  username: string,
  offered: OfferedGrant,
) {
  const { grants, directory, vault } = on;
  yield* checkUser(on, account, offered);
  const now = yield* Clock.currentTimeMillis;
  yield* grants.keep(newGrant(account, username, offered));
  const kind = offered.app.mode === "delegated" ? "oauth2" : "application";
  yield* directory.change(account, (known) => [undefined, withAuthKind(known, kind, offered.app.id)]);
  for (const shared of yield* grants.listDelegates(account)) {
    const isRefused = yield* Effect.match(vault.version(shared), {
      onSuccess: () => false,
      onFailure: () => true,
    });
    if (isRefused) yield* resume(on, shared, now);
  }
});

const checkUser = Effect.fnUntraced(function* ({ grants }: OfferedGrants, account: AccountId, offered: OfferedGrant) {
  const before = yield* grants.find(account);
  if (Option.isSome(before) && !isSameUser(before.value, offered)) return yield* new OtherIdentity();
});

/** Restores the grant of a shared mailbox, which ended together with its owner's grant. */
const resume = Effect.fnUntraced(function* (
  { grants, directory, journal, publisher }: OfferedGrants,
  account: AccountId,
  now: number,
) {
  const grant = yield* grants.find(account);
  if (Option.isNone(grant)) return;
  const before = yield* directory.change(account, (known): [Account, Account] => [known, recordSeen(known, now)]);
  yield* grants.keep({ ...grant.value, state: "active", fault: null });
  yield* journal.changeWaiting({ account }, (message) => resumed(message, now));
  if (Option.exists(before, ({ refusedAt }) => refusedAt !== null))
    yield* publisher.publishNow(account, "account.recovered", { email: account });
});

const fetchDelegated = Effect.fnUntraced(function* (
  { grants, apps, tokens }: OfferedGrants,
  owner: AccountId,
  named: string | undefined,
  askedAt: number,
) {
  const grant = Option.getOrUndefined(yield* grants.find(owner));
  if (grant === undefined || grant.delegateOf !== null) {
    return yield* new GrantInvalid({ reason: "the account of delegateOf has no consent of its own" });
  }
  if (named !== undefined && named !== grant.app) {
    return yield* new GrantInvalid({ reason: "the account of delegateOf was connected by another app" });
  }
  const app = yield* apps.get(grant.app);
  return { app, token: yield* tokens.of(owner), issued: null, askedAt, delegateOf: owner } satisfies OfferedGrant;
});

const issue = Effect.fnUntraced(function* (
  { server }: OfferedGrants,
  app: OAuthApp,
  account: AccountId,
  refreshToken: Redacted.Redacted | undefined,
) {
  // This check precedes any use of the app's credentials or of a token service.
  if (!mayOpen(app, account)) return yield* new GrantInvalid({ reason: OTHER_DOMAIN });
  if (app.mode === "delegated" && refreshToken === undefined) {
    return yield* new GrantInvalid({ reason: "refreshToken is missing: users of this app consent" });
  }
  if (app.mode !== "delegated" && refreshToken !== undefined) {
    return yield* new GrantInvalid({ reason: "refreshToken is not used: this app has credentials of its own" });
  }
  if (refreshToken === undefined) return yield* server.issue(app, account);
  const issued = yield* server.refresh(app, refreshToken);
  return { ...issued, refreshToken: issued.refreshToken ?? refreshToken };
});

/** Returns the servers that check a token: the account's if they may receive the token, otherwise those of a new account. */
export const placeOfToken = Effect.fnUntraced(function* (
  candidates: Effect.Success<typeof serverCandidates>,
  { directory }: OfferedGrants,
  account: AccountId,
  offered: OfferedGrant,
): Effect.fn.Return<SignInPlace, StoreUnavailable> {
  const found = yield* placeForSignIn(candidates, account);
  if (found._tag === "Deployment" || found._tag === "Nowhere") return found;
  const stored = Option.getOrNull(yield* directory.find(account));
  const tokens = tokenServersOf(offered, account);
  const given = found._tag === "Account" ? found.servers : { imap: null, smtp: null };
  const [best] = yield* Effect.orDie(serversForToken(candidates, account, given, stored, tokens));
  return best === undefined ? { _tag: "Nowhere" } : { _tag: found._tag, servers: best };
});
