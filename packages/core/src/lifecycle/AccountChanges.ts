import { Clock, Context, Effect, Layer, Option } from "effect";
import {
  type Account,
  Accounts,
  AccountDirectory,
  AccountNotFound,
  AccountSettings,
  type HostLimited,
  OutsideReach,
  setPaused,
  recordSeen,
} from "../accounts/index.ts";
import {
  checkAccount,
  isVerified,
  refusedVerification,
  areSameServers,
  isRefusedSince,
  serverCandidates,
  serversForPassword,
  serversForStored,
  serversForToken,
  serversToStore,
  withAuthKind,
  tagsOf,
  type Verification,
  AccountChanged,
  CredentialRequired,
  type Follow,
} from "../accounts/neighbours.ts";
import { recordOperation } from "../audit/neighbours.ts";
import { CredentialVault, type KeyReach, type MailCredential, reaches } from "../auth/index.ts";
import { type AppMisconfigured, GrantInvalid, type ProviderUnavailable, tokenServersOf } from "../oauth/index.ts";
import { NO_SERVERS } from "../oauth/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { refusalReporter } from "../arrivals/neighbours.ts";
import { type AccountId, type InputInvalid, type Precondition, type StoreUnavailable } from "../shared/index.ts";
import { WatchStarter } from "../watch/neighbours.ts";
import { Endpoints } from "../webhooks/index.ts";
import { reachEntriesOf } from "../webhooks/neighbours.ts";
import type { AccountChangeError, AccountPatch } from "./AccountPatch.ts";
import { follow, type FollowedAccount, portsToFollow, showFollowing, startFollowing } from "./follow-account.ts";
import { logMove, moveServers, serverMover } from "./move-servers.ts";
import { checkOffered, keepOffered, offeredGrants } from "./offered-grants.ts";
import { recover, resume, resumePorts } from "./resume-account.ts";
import {
  accountVerifier,
  chooseServers,
  findStored,
  keepVerification,
  unverified,
  verifyStored,
} from "./verify-account.ts";

/** Changes accounts, and verifies them again (spec 10.3). Accounts are named by id or address, within a key's reach. */
export class AccountChanges extends Context.Service<
  AccountChanges,
  {
    /**
     * Changes an account. A new password and new servers are verified before they are stored. `within` runs in the
     * transaction of the change.
     */
    readonly change: <E = never>(
      named: string,
      patch: AccountPatch,
      reach: KeyReach | null,
      isWanted?: Precondition<Account>,
      within?: Effect.Effect<void, E>,
    ) => Effect.Effect<Account, AccountChangeError | AccountChanged | E>;
    /** Changes which folders of an account are followed (spec 7.11). For `all`, lists the folders on the mail server. */
    readonly follow: (
      account: AccountId,
      follow: Follow,
    ) => Effect.Effect<FollowedAccount, InputInvalid | AccountNotFound | MailboxAccessError>;
    readonly showFollowing: (account: AccountId) => Effect.Effect<FollowedAccount, AccountNotFound | StoreUnavailable>;
    /** Verifies the stored credential at the servers now; changes only the account's state. */
    readonly verify: (
      named: string,
      reach: KeyReach | null,
    ) => Effect.Effect<
      { readonly account: Account; readonly verification: Verification },
      | InputInvalid
      | AccountNotFound
      | AppMisconfigured
      | CredentialRequired
      | HostLimited
      | ProviderUnavailable
      | StoreUnavailable
    >;
  }
>()("@postern/core/lifecycle/AccountChanges") {
  static readonly layer = Layer.effect(
    AccountChanges,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const accounts = yield* Accounts;
      const directory = yield* AccountDirectory;
      const candidates = yield* serverCandidates;
      const verifier = yield* accountVerifier;
      const vault = yield* CredentialVault;
      const grants = yield* offeredGrants;
      const watching = yield* WatchStarter;
      const endpoints = yield* Endpoints;
      const mover = yield* serverMover;
      const reporter = yield* refusalReporter;
      const on = { ...(yield* portsToFollow), ...(yield* resumePorts) };

      const findAgain = Effect.fnUntraced(function* (id: AccountId) {
        const account = yield* directory.find(id);
        return Option.isSome(account) ? account.value : yield* new AccountNotFound();
      });

      /** Fails if the account moved to other servers meanwhile, because the stored credential belongs to the old servers. */
      const checkUnmoved = (account: Account, now: Account) =>
        areSameServers(account.servers, now.servers) ? Effect.void : Effect.fail(new CredentialRequired());

      /** Returns the credential to verify, the servers that may receive it, and the effect that stores a new credential. */
      const presentCredential = Effect.fnUntraced(function* (account: Account, patch: AccountPatch) {
        const { password, grant, servers } = patch;
        const { id } = account;
        const given = servers ?? { imap: null, smtp: null };
        const kept = yield* vault.find(id);
        const username = Option.match(kept, { onNone: () => id, onSome: ({ username }) => username });
        if (grant !== undefined) {
          yield* checkOffered(grants, id, grant);
          const credential: MailCredential = { _tag: "AccessToken", username, token: grant.token };
          const [best, ...others] = yield* serversForToken(candidates, id, given, account, tokenServersOf(grant, id));
          if (best === undefined) return yield* new GrantInvalid({ reason: NO_SERVERS });
          const tried = [best, ...others] as const;
          return { credential: Option.some(credential), tried, keep: keepOffered(grants, id, username, grant) };
        }
        if (password !== undefined) {
          const credential = { _tag: "Password", username, password } as const;
          const keep = Effect.andThen(
            vault.keep(id, credential),
            directory.change(id, (known) => [undefined, withAuthKind(known, "password", null)]),
          );
          const tried = yield* serversForPassword(candidates, id, given, account);
          return { credential: Option.some<MailCredential>(credential), tried, keep };
        }
        if (Option.isNone(kept)) return yield* new AccountNotFound();
        const tried = [yield* serversForStored(candidates, account, given)] as const;
        yield* checkUnmoved(account, yield* findAgain(id));
        const accepted = vault.markAccepted(id, kept.value.version);
        return { credential: yield* findStored(verifier, id, kept.value), tried, keep: accepted };
      });

      /** Verifies a new credential or new servers; returns the effect that stores them and reports a move to other servers. */
      const reconnect = Effect.fnUntraced(function* (account: Account, patch: AccountPatch) {
        const { credential, tried, keep } = yield* presentCredential(account, patch);
        const isStored = patch.password === undefined && patch.grant === undefined;
        const [chosen, checked] = Option.isNone(credential)
          ? ([tried[0], refusedVerification(tried[0])] as const)
          : yield* chooseServers(verifier, account.id, tried, credential.value);
        if (!isVerified(checked)) return yield* unverified(checked);
        const chosenToStore = serversToStore(settings, account.id, chosen);
        return Effect.fnUntraced(function* (now: number) {
          const known = yield* directory.change(account.id, (known) => [
            known,
            { ...recordSeen(known, now), servers: chosenToStore, capabilities: checked.capabilities },
          ]);
          if (Option.isNone(known)) return yield* new AccountNotFound();
          // A verification at a slow server must not overwrite servers and credentials stored meanwhile.
          if (isStored) {
            yield* checkUnmoved(account, known.value);
            if (isRefusedSince(account, known.value)) return yield* unverified(refusedVerification(chosen));
          }
          yield* keep;
          const hasMoved = !areSameServers(known.value.servers, chosenToStore);
          if (hasMoved) yield* moveServers(mover, account.id, chosen, checked.present);
          yield* recover(on, known.value, now);
          return hasMoved ? chosen : null;
        });
      });

      const change = Effect.fn("AccountChanges.change")(function* <E = never>(
        named: string,
        patch: AccountPatch,
        reach: KeyReach | null,
        isWanted: Precondition<Account> = () => true,
        within: Effect.Effect<void, E> = Effect.void,
      ) {
        yield* checkAccount({ name: patch.name, tags: patch.tags });
        const account = yield* accounts.find(named, reach);
        if (!isWanted(account)) return yield* new AccountChanged();
        const { id } = account;
        const tags = patch.tags === undefined ? account.tags : tagsOf(patch.tags);
        if (!reaches(reach, { address: id, tags })) return yield* new OutsideReach();
        const reconnects = patch.password !== undefined || patch.grant !== undefined || patch.servers !== undefined;
        const store = reconnects ? yield* reconnect(account, patch) : null;
        const start = yield* startFollowing(on, account, patch.follow);
        const movedTo = yield* on.transaction.run(
          Effect.gen(function* () {
            yield* within;
            const locked = yield* directory.change(id, (known) => [known, known]);
            // The account may have left the reach of the key during the verification.
            const isReached = Option.exists(locked, (known) => reaches(reach, { address: id, tags: known.tags }));
            if (!isReached) return yield* new AccountNotFound();
            if (!Option.exists(locked, isWanted)) return yield* new AccountChanged();
            const now = yield* Clock.currentTimeMillis;
            const moved = store === null ? null : yield* store(now);
            yield* directory.change(id, (known) => {
              const { name = known.name, paused: pause = known.pausedAt !== null } = patch;
              const next = {
                ...known,
                name,
                tags: patch.tags === undefined ? known.tags : tags,
                follow: patch.follow ?? known.follow,
              };
              return [undefined, setPaused(next, pause, now)];
            });
            if (start !== null) yield* start(now, moved !== null);
            if (patch.paused !== undefined) yield* patch.paused ? on.watches.erase(id) : resume(on, id, now);
            yield* recordOperation("accounts.change", { account: id });
            return moved;
          }),
        );
        if (movedTo !== null) yield* logMove(mover, id, movedTo);
        const changed = yield* findAgain(id);
        // New tags may bring the account into the reach of other endpoints, and an account that was refused before can now be watched.
        const mayBeWatched = (patch.tags !== undefined || store !== null) && changed.pausedAt === null;
        if (mayBeWatched && (yield* endpoints.isReached(reachEntriesOf(Option.some(changed))))) {
          // If the mail server fails, the sweep for missing watches tries again.
          yield* Effect.ignore(watching.begin(id));
        }
        return changed;
      });

      const verify = Effect.fn("AccountChanges.verify")(function* (named: string, reach: KeyReach | null) {
        const account = yield* accounts.find(named, reach);
        const kept = yield* vault.find(account.id);
        if (Option.isNone(kept)) return yield* new AccountNotFound();
        const ofAccount = serversForStored(candidates, account, { imap: null, smtp: null });
        const servers = yield* Effect.catchTag(ofAccount, "ServersFixed", (error) => Effect.die(error));
        yield* checkUnmoved(account, yield* findAgain(account.id));
        const checked = yield* verifyStored(verifier, account.id, kept.value, servers);
        yield* keepVerification({ ...on, ...reporter }, account, kept.value, checked);
        return { account: yield* findAgain(account.id), verification: checked };
      });

      return AccountChanges.of({
        change,
        verify,
        follow: (id, wanted) => follow(on, id, wanted),
        showFollowing: (id) => showFollowing(on, id),
      });
    }),
  );
}
