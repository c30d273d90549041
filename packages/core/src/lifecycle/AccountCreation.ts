import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import {
  type Account,
  Accounts,
  AccountBeingRemoved,
  AccountDirectory,
  AccountSettings,
  newAccount,
  OutsideReach,
  recordSeen,
} from "../accounts/index.ts";
import {
  followsAllFolders,
  checkAccount,
  isVerified,
  areSameServers,
  serverCandidates,
  serversForPassword,
  serversForToken,
  serversOf,
  serversToStore,
  tagsOf,
  AccountExists,
} from "../accounts/neighbours.ts";
import { recordOperation } from "../audit/neighbours.ts";
import { EventPublisher } from "../events/index.ts";
import { AddressMalformed, CredentialVault, Fingerprints, type KeyReach, reaches } from "../auth/index.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../creations/neighbours.ts";
import { GrantInvalid, tokenServersOf } from "../oauth/index.ts";
import { NO_SERVERS } from "../oauth/neighbours.ts";
import type { MailboxCursor } from "../mail/index.ts";
import { OutgoingJournal } from "../send/index.ts";
import { resume } from "../send/neighbours.ts";
import { type AccountId, accountIdOf, Transaction } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../watch/index.ts";
import { WATCHED_FOR } from "../watch/neighbours.ts";
import { Endpoints } from "../webhooks/index.ts";
import { reachEntriesOf } from "../webhooks/neighbours.ts";
import { AccountRemoval } from "./AccountRemoval.ts";
import type { AccountCreationError, AccountSecret, NewAccount } from "./NewAccount.ts";
import { hashSecret } from "./hash-secret.ts";
import { beginServers, logMove, moveServers, serverMover } from "./move-servers.ts";
import { checkOffered, fetchOffered, keepOffered, offeredGrants } from "./offered-grants.ts";
import { accountVerifier, chooseServers, unverified } from "./verify-account.ts";

/** How long a creation waits for the erasure of a removed account with the same address. */
const REMOVAL_PATIENCE = "10 seconds";

/** Creates managed accounts (spec 10.3): verifies them at their servers, then stores them with their credential. */
export class AccountCreation extends Context.Service<
  AccountCreation,
  {
    /**
     * Creates a managed account, or makes an account from a sign-in managed; once for each key. The account must be
     * within the reach before and after. `within` runs in the transaction that stores the account.
     */
    readonly create: <E = never>(
      request: NewAccount,
      reach: KeyReach | null,
      key?: Omit<CreationKey, "account">,
      within?: Effect.Effect<void, E>,
    ) => Effect.Effect<Account, AccountCreationError | RepeatError | E>;
  }
>()("@postern/core/lifecycle/AccountCreation") {
  static readonly layer = Layer.effect(
    AccountCreation,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const creations = yield* Creations;
      const fingerprints = yield* Fingerprints;
      const directory = yield* AccountDirectory;
      const candidates = yield* serverCandidates;
      const verifier = yield* accountVerifier;
      const removal = yield* AccountRemoval;
      const vault = yield* CredentialVault;
      const accounts = yield* Accounts;
      const grants = yield* offeredGrants;
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const endpoints = yield* Endpoints;
      const followsAll = yield* followsAllFolders;
      const journal = yield* OutgoingJournal;
      const mover = yield* serverMover;
      const publisher = yield* EventPublisher;
      const transaction = yield* Transaction;

      /** Returns the account that a sign-in created, if there is one. */
      const findUnmanaged = Effect.fnUntraced(function* (id: AccountId, tags: Account["tags"], reach: KeyReach | null) {
        const found = Option.getOrNull(yield* directory.find(id));
        const isWithin = (one: Pick<Account, "tags">) => reaches(reach, { address: id, tags: one.tags });
        if (!isWithin({ tags }) || (found !== null && !isWithin(found))) return yield* new OutsideReach();
        if (found?.managed) return yield* new AccountExists();
        return found;
      });

      /** Starts to watch an account if all its folders are followed or an application's endpoint reaches it. */
      const watch = Effect.fnUntraced(function* (account: Account, now: number, present: MailboxCursor) {
        const [found, until] = [Option.some(account), now + Duration.toMillis(WATCHED_FOR)];
        if (!followsAll(found) && !(yield* endpoints.isReached(reachEntriesOf(found)))) return;
        if (yield* watches.add(account.id, until)) yield* mailboxes.moveTo(account.id, "inbox", present);
      });

      /** Returns the grant from the request, with its first token. */
      const findOffered = Effect.fnUntraced(function* (
        account: AccountId,
        secret: Exclude<AccountSecret, { readonly _tag: "Password" }>,
        reach: KeyReach | null,
      ) {
        const delegateOf = secret._tag === "Named" ? secret.grant.delegateOf : undefined;
        const owner = delegateOf === undefined ? undefined : yield* accounts.find(delegateOf, reach);
        const offered =
          secret._tag === "Offered"
            ? secret.grant
            : yield* fetchOffered(grants, account, { ...secret.grant, delegateOf: owner?.id });
        const ofApp = tokenServersOf(offered, account);
        // The tokens of another account may go only to the servers of that account.
        const tokens =
          owner === undefined ? ofApp : { ...ofApp, named: serversOf(settings, owner.id, owner), mayDiscover: false };
        return { offered, tokens };
      });

      /** Returns the credential to verify, the servers that may receive it, and the effect that stores it. */
      const presentCredential = Effect.fnUntraced(function* (
        account: AccountId,
        request: NewAccount,
        before: Account | null,
        reach: KeyReach | null,
      ) {
        const { email: username, secret } = request;
        if (secret._tag === "Password") {
          const credential = { _tag: "Password", username, password: secret.password } as const;
          const tried = yield* serversForPassword(candidates, account, request, before);
          return { credential, tried, keep: vault.keep(account, credential) };
        }
        const { offered, tokens } = yield* findOffered(account, secret, reach);
        yield* checkOffered(grants, account, offered);
        const [best, ...others] = yield* serversForToken(candidates, account, request, before, tokens);
        if (best === undefined) return yield* new GrantInvalid({ reason: NO_SERVERS });
        const credential = { _tag: "AccessToken", username, token: offered.token } as const;
        return { credential, tried: [best, ...others] as const, keep: keepOffered(grants, account, username, offered) };
      });

      const createOne = Effect.fnUntraced(function* <E>(
        id: AccountId,
        request: NewAccount,
        reach: KeyReach | null,
        claim: KeyClaim,
        within: Effect.Effect<void, E>,
      ) {
        const tags = tagsOf(request.tags);
        const before = yield* findUnmanaged(id, tags, reach);
        const { credential, tried, keep } = yield* presentCredential(id, request, before, reach);
        const [servers, checked] = yield* chooseServers(verifier, id, tried, credential);
        if (!isVerified(checked)) return yield* unverified(checked);
        yield* Effect.timeoutOrElse(removal.finish(id), {
          duration: REMOVAL_PATIENCE,
          orElse: () => Effect.fail(new AccountBeingRemoved()),
        });
        const stored = serversToStore(settings, id, servers);

        const [made, hasMoved] = yield* transaction.run(
          Effect.gen(function* () {
            yield* claim.complete(id);
            yield* within;
            const now = yield* Clock.currentTimeMillis;
            const manage = (known: Account): Account => ({
              ...recordSeen(known, now),
              name: request.name ?? known.name,
              managed: true,
              servers: stored,
              capabilities: checked.capabilities,
              tags,
              follow: request.follow ?? known.follow,
            });
            const fresh = manage(newAccount(id, now));
            let [hasMoved, wasRefused] = [false, false];
            if (yield* directory.insert(fresh)) {
              yield* beginServers(mover, id, checked.present);
            } else {
              const known = yield* directory.change(id, (known) => [known, known.managed ? known : manage(known)]);
              if (Option.exists(known, ({ managed }) => managed)) return yield* new AccountExists();
              wasRefused = Option.exists(known, ({ refusedAt }) => refusedAt !== null);
              hasMoved = !Option.exists(known, (known) => areSameServers(known.servers, stored));
              if (hasMoved) yield* moveServers(mover, id, servers, checked.present);
            }
            yield* removal.checkFinished(id);
            yield* keep;
            yield* journal.changeWaiting({ account: id }, (message) => resume(message, now));
            if (wasRefused) yield* publisher.publishNow(id, "account.recovered", { email: id });
            yield* publisher.publishNow(id, "account.added", { email: id });
            const managed = Option.getOrElse(yield* directory.find(id), () => fresh);
            yield* watch(managed, now, checked.present);
            yield* recordOperation("accounts.create", { account: id });
            return [managed, hasMoved] as const;
          }),
        );
        if (hasMoved) yield* logMove(mover, id, servers);
        return made;
      });

      const create = Effect.fn("AccountCreation.create")(function* <E = never>(
        request: NewAccount,
        reach: KeyReach | null,
        key?: Omit<CreationKey, "account">,
        within: Effect.Effect<void, E> = Effect.void,
      ) {
        yield* checkAccount({ email: request.email, name: request.name, tags: request.tags });
        const id = yield* Effect.mapError(Effect.fromOption(accountIdOf(request.email)), () => new AddressMalformed());
        return yield* creations.once(
          key === undefined ? undefined : { ...key, account: id },
          {
            operation: "accounts.create",
            request: hashSecret(request, (secret) => fingerprints.ofPassword(id, secret)),
          },
          (claim) => createOne(id, request, reach, claim, within),
          () =>
            Effect.map(
              directory.find(id),
              Option.filter(({ tags }) => reaches(reach, { address: id, tags })),
            ),
        );
      });

      return AccountCreation.of({ create });
    }),
  );
}
