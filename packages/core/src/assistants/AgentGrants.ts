import { Clock, Context, Effect, Layer, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { CredentialRelease, CredentialVault, Fingerprints, type ServiceKey } from "../auth/index.ts";
import type { SendPolicy } from "../auth/neighbours.ts";
import {
  type AccountId,
  Entropy,
  type InputInvalid,
  type Precondition,
  type StoreUnavailable,
  Transaction,
} from "../shared/index.ts";
import { AllAccountData, checkerOf, checkId, type Page, type PageRequest, readPage } from "../shared/neighbours.ts";
import { type AgentGrant, keyOfGrant } from "./AgentGrant.ts";
import type { AuthorizationCode } from "./AuthorizationCode.ts";
import { AgentGrantChanged, AgentGrantNotFound, TokenRefused } from "./errors.ts";
import {
  acceptsAccess,
  isGrantLive,
  isUseDue,
  presentRefresh,
  type RefreshOutcome,
  startGrant,
} from "./grant-state.ts";
import { AgentGrantRecords } from "./ports/AgentGrantRecords.ts";
import { assistantFields } from "./rules.ts";
import {
  FAMILY_BITS,
  GRANT_ID_BITS,
  grantIdOf,
  type IssuedTokens,
  newTokens,
  refreshPartsOf,
} from "./tokens-of-grants.ts";

/** How many expired grants are removed in one transaction. */
const BATCH = 200;

/** The changes that a person may make to a grant. */
export interface GrantChanges {
  readonly name?: string | undefined;
  readonly sendPolicy?: SendPolicy | undefined;
}

const checkChanges = checkerOf({ name: assistantFields.grantName, sendPolicy: assistantFields.sendPolicy });

const refused = (description: string) => new TokenRefused({ error: "invalid_grant", description });

/** The grants of assistants: issues and checks their tokens; lists, changes and ends them (spec 13.3). */
export class AgentGrants extends Context.Service<
  AgentGrants,
  {
    /** Starts a grant from a redeemed authorization code; refused if the account's credential was erased meanwhile. */
    readonly start: (code: AuthorizationCode) => Effect.Effect<IssuedTokens, TokenRefused | StoreUnavailable>;
    /** Exchanges a refresh token for a new pair. Reuse of a replaced token ends the grant. `scopes` cannot add scopes. */
    readonly renew: (
      refreshToken: string,
      clientId: string,
      scopes?: ReadonlyArray<string>,
    ) => Effect.Effect<IssuedTokens, TokenRefused | StoreUnavailable>;
    /** Returns the rights of the holder of this access token; none if no grant accepts the token. Every check reads the store. */
    readonly holderOf: (accessToken: string) => Effect.Effect<Option.Option<ServiceKey>, StoreUnavailable>;
    /**
     * Returns the present rights of a grant; none after its end. Requests that wait check a grant again by this
     * function.
     */
    readonly recheck: (id: string) => Effect.Effect<Option.Option<ServiceKey>, StoreUnavailable>;
    /** Returns a page of the grants of an account, newest first. */
    readonly page: (
      account: AccountId,
      request: PageRequest,
    ) => Effect.Effect<Page<AgentGrant>, InputInvalid | StoreUnavailable>;
    readonly change: (
      account: AccountId,
      id: string,
      changes: GrantChanges,
      isWanted?: Precondition<AgentGrant>,
    ) => Effect.Effect<AgentGrant, InputInvalid | AgentGrantNotFound | AgentGrantChanged | StoreUnavailable>;
    /** Ends a grant: when this returns, every process refuses the grant's tokens. Its waiting messages are held. */
    readonly end: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<void, InputInvalid | AgentGrantNotFound | StoreUnavailable>;
    /** Ends expired grants. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/assistants/AgentGrants") {
  static readonly layer = Layer.effect(
    AgentGrants,
    Effect.gen(function* () {
      const records = yield* AgentGrantRecords;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const all = yield* AllAccountData;
      const { release } = yield* CredentialRelease;
      const vault = yield* CredentialVault;

      /** Ends everything that depends on a removed grant, in the same transaction. */
      const finish = Effect.fnUntraced(function* (id: string, account: AccountId) {
        for (const data of all) yield* data.endKey?.(id, "hold") ?? Effect.void;
        yield* release(account);
      });

      const removeExpired = Effect.fnUntraced(function* () {
        const expired = yield* records.removeExpired(yield* Clock.currentTimeMillis, BATCH);
        for (const { id, account } of expired) yield* finish(id, account);
        return expired.length;
      }, transaction.run);

      return AgentGrants.of({
        start: Effect.fn("AgentGrants.start")(function* ({ account, client, scopes, sendPolicy }) {
          const id = yield* entropy.id(GRANT_ID_BITS);
          const family = yield* entropy.id(FAMILY_BITS);
          const { hashes, issuedFor } = yield* newTokens(entropy, fingerprints, id, family);
          const start = {
            id,
            account,
            name: client.name,
            client,
            scopes,
            sendPolicy,
            family: fingerprints.ofToken(family),
          };
          const grant = startGrant(start, hashes, yield* Clock.currentTimeMillis);
          yield* transaction.run(
            Effect.gen(function* () {
              // An erasure that comes later waits for this lock, and then sees the grant.
              yield* vault.eraseUnless(account, Effect.succeed(true));
              if (Option.isNone(yield* vault.find(account))) return yield* refused("The person has signed out");
              yield* records.insert(grant);
            }),
          );
          yield* Effect.logInfo("an assistant was granted access", {
            account: fingerprints.ofAccount(account),
            grant: id,
          });
          return issuedFor(scopes);
        }),

        renew: Effect.fn("AgentGrants.renew")(function* (refreshToken, clientId, asked) {
          const parts = refreshPartsOf(refreshToken);
          if (parts === undefined) return yield* refused("The refresh token is unknown");
          const { id, family } = parts;
          const { hashes, issuedFor } = yield* newTokens(entropy, fingerprints, id, family);
          const now = yield* Clock.currentTimeMillis;
          const hash = fingerprints.ofToken(refreshToken);
          const presented = { hash, family: fingerprints.ofToken(family), clientId };
          type Decided = readonly [RefreshOutcome | "widened", AgentGrant];
          const presentAndEnd = Effect.gen(function* () {
            const decided = yield* records.change<Decided>(id, (grant) => {
              const [outcome, after] = presentRefresh(grant, presented, hashes, now);
              const isWider = asked?.some((scope) => !grant.scopes.some((given) => given === scope)) ?? false;
              if (outcome === "rotated" && isWider) return [["widened", grant], grant];
              return [[outcome, grant], after];
            });
            if (Option.isSome(decided) && decided.value[0] === "reused") yield* finish(id, decided.value[1].account);
            return decided;
          });
          const [outcome, grant] = Option.getOrElse(yield* transaction.run(presentAndEnd), () => ["ended"] as const);
          if (outcome === "reused") yield* Effect.logWarning("a replaced refresh token ended a grant", { grant: id });
          if (outcome === "widened") {
            return yield* new TokenRefused({ error: "invalid_scope", description: "scope has more than was granted" });
          }
          if (outcome !== "rotated" || grant === undefined)
            return yield* refused("The grant has ended, or the token is not current");
          return issuedFor(grant.scopes);
        }),

        holderOf: Effect.fnUntraced(function* (accessToken) {
          const id = grantIdOf(accessToken);
          const found = id === undefined ? Option.none() : yield* records.find(id);
          const now = yield* Clock.currentTimeMillis;
          const hash = fingerprints.ofToken(accessToken);
          const accepted = Option.filter(found, (grant) => acceptsAccess(grant, hash, now));
          if (Option.isSome(accepted) && isUseDue(accepted.value, now)) {
            yield* Effect.ignore(
              records.change(accepted.value.id, (grant) => [undefined, { ...grant, lastUsedAt: now }]),
            );
          }
          return Option.map(accepted, keyOfGrant);
        }),

        recheck: Effect.fnUntraced(function* (id) {
          const now = yield* Clock.currentTimeMillis;
          return Option.map(
            Option.filter(yield* records.find(id), (grant) => isGrantLive(grant, now)),
            keyOfGrant,
          );
        }),

        page: Effect.fn("AgentGrants.page")(function* (account, request) {
          const now = yield* Clock.currentTimeMillis;
          const placeOf = ({ createdAt, id }: AgentGrant) => ({ at: createdAt, id });
          return yield* readPage(request, placeOf, (after, limit) => records.list(account, now, after, limit));
        }),

        change: Effect.fn("AgentGrants.change")(function* (account, id, changes, isWanted = () => true) {
          yield* checkId({ id });
          const { name, sendPolicy } = changes;
          yield* checkChanges({ name, sendPolicy });
          const now = yield* Clock.currentTimeMillis;
          type Decided = Effect.Effect<AgentGrant, AgentGrantNotFound | AgentGrantChanged>;
          const decided = yield* records.change<Decided>(id, (grant) => {
            if (grant.account !== account || !isGrantLive(grant, now)) return [new AgentGrantNotFound(), grant];
            if (!isWanted(grant)) return [new AgentGrantChanged(), grant];
            const after = { ...grant, name: name ?? grant.name, sendPolicy: sendPolicy ?? grant.sendPolicy };
            return [Effect.succeed(after), after];
          });
          const changed = yield* Option.getOrElse(decided, (): Decided => new AgentGrantNotFound());
          yield* recordOperation("grants.change", { account, target: id });
          return changed;
        }, transaction.run),

        end: Effect.fn("AgentGrants.end")(function* (account, id) {
          yield* checkId({ id });
          const removed = yield* records.change(id, (grant) =>
            grant.account === account ? [true, null] : [false, grant],
          );
          if (!Option.contains(removed, true)) return yield* new AgentGrantNotFound();
          yield* recordOperation("grants.remove", { account, target: id });
          yield* finish(id, account);
        }, transaction.run),

        sweep: Effect.gen(function* () {
          while ((yield* removeExpired()) === BATCH);
        }).pipe(Effect.withSpan("AgentGrants.sweep")),
      });
    }),
  );
}
