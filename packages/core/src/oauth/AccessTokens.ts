import { Clock, Context, Duration, Effect, Fiber, Layer, Option, Random, Redacted, Schedule } from "effect";
import { AccountDirectory } from "../accounts/index.ts";
import { type GrantFault, withoutToken, withToken } from "../accounts/neighbours.ts";
import { type AccountId, Entropy, type Lease, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { repeatSteps } from "../shared/neighbours.ts";
import { CredentialRefusals } from "./CredentialRefusals.ts";
import { AppMisconfigured, GrantRefused, type ProviderError, ProviderUnavailable } from "./errors.ts";
import type { AccessToken, Grant } from "./Grant.ts";
import {
  beginRefresh,
  endRefresh,
  isSameToken,
  judgeToken,
  mayRenew,
  type RefreshOutcome,
  refreshTime,
  rejectGrant,
} from "./grant-state.ts";
import { Grants } from "./ports/Grants.ts";
import { requestToken, tokenRequester } from "./request-tokens.ts";

/**
 * How long a process without a heartbeat holds the lease of a grant. An overloaded process or store takes less time to
 * write the result of an exchange. If another process presented the refresh token before that write, the provider might
 * end the grant.
 */
const LEASE = Duration.toMillis("15 seconds");
const HEARTBEAT = Duration.seconds(1);
/** How long a request waits for a token that another process fetches. */
const PATIENCE = Duration.toMillis("25 seconds");
/** The first wait between checks for that token, in milliseconds; later waits are longer. */
const FIRST_POLL_MILLIS = 100;
const MAX_POLL_MILLIS = 1_000;
/** The maximum sleep of the refresher, which therefore notices a new consent within this time. */
const MAX_SLEEP_MILLIS = Duration.toMillis("1 minute");
/** How long the write of an exchange's result is retried while the store is down. The result contains the only valid refresh token. */
const WRITE_RETRIES = { schedule: Schedule.spaced("250 millis"), times: 1200 };

/** The reason why an account gets no access token. */
export type TokenError = ProviderError | StoreUnavailable;

/**
 * Access tokens for mailboxes (spec 11.4). One process at a time requests an account's token from the provider, and
 * stores the token before using it.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** Returns a valid token. After 80 % of its lifetime a token is still used while a new one is fetched. */
    readonly of: (account: AccountId) => Effect.Effect<Redacted.Redacted, TokenError>;
    /** Replaces a refused token and returns true. Returns false if the refused token was itself a recent replacement. */
    readonly renew: (account: AccountId, refused: Redacted.Redacted) => Effect.Effect<boolean, TokenError>;
    /** Replaces the account's token at 80 % of its lifetime, for as long as a session that was opened with a token is in use. */
    readonly keepFresh: (account: AccountId) => Effect.Effect<never>;
    /** Records that the mail server refuses even a newly fetched token, unless another token or a new consent has replaced it. */
    readonly reject: (account: AccountId, refused: Redacted.Redacted) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/oauth/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const grants = yield* Grants;
      const requester = yield* tokenRequester;
      const refusals = yield* CredentialRefusals;
      const directory = yield* AccountDirectory;
      const transaction = yield* Transaction;
      const entropy = yield* Entropy;
      const scope = yield* Effect.scope;
      const flights = new Map<AccountId, Fiber.Fiber<void, StoreUnavailable>>();

      const changeHeld = (account: AccountId, { token }: Lease, next: (grant: Grant) => Grant) =>
        grants.change(account, (grant) => {
          if (grant.lease?.token !== token) return [undefined, grant];
          const after = next(grant);
          return [after, after];
        });

      const keepHeld = (account: AccountId, lease: Lease) =>
        Effect.gen(function* () {
          yield* Effect.sleep(HEARTBEAT);
          const until = (yield* Clock.currentTimeMillis) + LEASE;
          yield* changeHeld(account, lease, (grant) => ({ ...grant, lease: { ...lease, until } }));
        }).pipe(Effect.ignore, Effect.forever, Effect.interruptible);

      /** Writes the outcome and its consequences for the account, unless another process has taken over the lease of the grant. */
      const settle = Effect.fnUntraced(function* (account: AccountId, lease: Lease, outcome: RefreshOutcome) {
        const now = yield* Clock.currentTimeMillis;
        const random = yield* Random.next;
        const changed = yield* changeHeld(account, lease, (grant) => endRefresh(grant, outcome, now, random));
        const after = Option.getOrUndefined(changed);
        if (after === undefined) return;
        if (after.state === "needs_reauth") yield* refusals.record(account, after.fault);
        if (after.state === "active") yield* directory.change(account, (known) => [undefined, withToken(known)]);
        const isWithout = judgeToken(after, null, now)._tag === "Paused";
        if (isWithout && (after.state === "app_misconfigured" || after.state === "provider_unavailable")) {
          const fault = after.state;
          yield* directory.change(account, (known) => [undefined, withoutToken(known, fault, now)]);
        }
      }, transaction.run);

      const refresh = Effect.fn("AccessTokens.refresh")(function* (
        account: AccountId,
        refused: Redacted.Redacted | null,
      ) {
        const now = yield* Clock.currentTimeMillis;
        const lease = { token: yield* entropy.id(96), until: now + LEASE };
        const begun = yield* grants.change(account, (grant): readonly [Grant | undefined, Grant] => {
          const { _tag } = judgeToken(grant, refused, now);
          if (_tag !== "Refresh" && _tag !== "Ahead") return [undefined, grant];
          const after = beginRefresh(grant, lease, refused !== null, now);
          return [after, after];
        });
        const grant = Option.getOrUndefined(begun);
        if (grant === undefined) return;
        const outcome = yield* Effect.raceFirst(requestToken(requester, grant), keepHeld(account, lease));
        yield* Effect.retry(settle(account, lease, outcome), WRITE_RETRIES);
        yield* refusals.announce;
      });

      /** Joins this process's request for the account's token, or begins one. The request continues if its callers are interrupted. */
      const joinRefresh = (account: AccountId, refused: Redacted.Redacted | null) =>
        Effect.suspend(() => {
          const running = flights.get(account);
          if (running !== undefined) return Effect.succeed(running);
          const run = Effect.ensuring(
            refresh(account, refused),
            Effect.sync(() => void flights.delete(account)),
          );
          return Effect.tap(Effect.forkIn(Effect.uninterruptible(run), scope), (fiber) =>
            Effect.sync(() => {
              if (fiber.pollUnsafe() === undefined) flights.set(account, fiber);
            }),
          );
        });

      const awaitToken = Effect.fnUntraced(function* (
        account: AccountId,
        refused: Redacted.Redacted | null,
      ): Effect.fn.Return<AccessToken, TokenError> {
        const until = (yield* Clock.currentTimeMillis) + PATIENCE;
        let wait = FIRST_POLL_MILLIS;
        for (;;) {
          const found = yield* grants.find(account);
          if (Option.isNone(found)) return yield* new GrantRefused({ fault: "grant_revoked" });
          const { delegateOf } = found.value;
          if (delegateOf !== null) return yield* awaitToken(delegateOf, refused);
          const now = yield* Clock.currentTimeMillis;
          const verdict = judgeToken(found.value, refused, now);
          switch (verdict._tag) {
            case "Use":
              return verdict.token;
            case "Ahead":
              yield* joinRefresh(account, null);
              return verdict.token;
            case "NeedsReauth":
              return yield* new GrantRefused({ fault: verdict.fault });
            case "Paused":
              return yield* verdict.state === "app_misconfigured"
                ? new AppMisconfigured({ fault: "client_refused" })
                : new ProviderUnavailable({ retryAfter: verdict.retryAt - now });
            case "Refresh":
              yield* Fiber.join(yield* joinRefresh(account, refused));
              break;
            case "Wait":
              yield* Effect.sleep(wait);
              wait = Math.min(2 * wait, MAX_POLL_MILLIS);
          }
          if ((yield* Clock.currentTimeMillis) > until) return yield* new ProviderUnavailable({ retryAfter: null });
        }
      });

      /**
       * Records that the credential of a mailbox is refused, if this is true of the grant whose tokens open it. Records
       * nothing once another credential has replaced the mailbox's grant.
       */
      const recordIf = Effect.fnUntraced(function* (
        account: AccountId,
        fault: GrantFault,
        isRefused: (opening: Grant | undefined) => boolean,
        refuse: (grant: Grant) => Grant = (grant) => grant,
      ) {
        const owner = Option.getOrUndefined(yield* grants.find(account))?.delegateOf ?? null;
        // The lock lets a consent of the owner, which resumes this mailbox, come before or after the refusal.
        const locked = owner === null ? Option.none() : yield* grants.change(owner, (grant) => [grant, grant]);
        const isCurrent = yield* grants.change(account, (grant): readonly [boolean, Grant] => {
          const opening = owner === null ? grant : Option.getOrUndefined(locked);
          return grant.delegateOf === owner && isRefused(opening) ? [true, refuse(grant)] : [false, grant];
        });
        if (Option.contains(isCurrent, true)) yield* refusals.record(account, fault);
      }, transaction.run);

      /** Waits for the token. If the grant that opens the mailbox has ended, records this for the mailbox. */
      const awaitTokenOrRecord = Effect.fnUntraced(function* (account: AccountId, refused: Redacted.Redacted | null) {
        return yield* Effect.tapErrorTag(awaitToken(account, refused), "GrantRefused", ({ fault }) =>
          Effect.andThen(
            recordIf(account, fault, (opening) => opening === undefined || opening.state === "needs_reauth"),
            refusals.announce,
          ),
        );
      });

      /** Refreshes the account's token if a refresh is due; returns the time of the next check. */
      const awaitNextRefresh = Effect.fnUntraced(function* (
        account: AccountId,
      ): Effect.fn.Return<number, StoreUnavailable> {
        const found = Option.getOrUndefined(yield* grants.find(account));
        if (found?.delegateOf != null) return yield* awaitNextRefresh(found.delegateOf);
        const now = yield* Clock.currentTimeMillis;
        const next = found === undefined ? now + MAX_SLEEP_MILLIS : refreshTime(found, now);
        if (next > now) return next;
        yield* Fiber.join(yield* joinRefresh(account, null));
        return now + FIRST_POLL_MILLIS;
      });

      return AccessTokens.of({
        keepFresh: (account) =>
          repeatSteps(
            "access tokens",
            Effect.gen(function* () {
              const next = yield* awaitNextRefresh(account);
              yield* Effect.sleep(
                Math.max(FIRST_POLL_MILLIS, Math.min(next - (yield* Clock.currentTimeMillis), MAX_SLEEP_MILLIS)),
              );
            }),
          ),
        of: (account) => Effect.map(awaitTokenOrRecord(account, null), ({ token }) => token),
        renew: Effect.fn("AccessTokens.renew")(function* (account, refused) {
          const grant = Option.getOrUndefined(yield* grants.find(account));
          const opening =
            grant?.delegateOf == null ? grant : Option.getOrUndefined(yield* grants.find(grant.delegateOf));
          if (opening === undefined || !mayRenew(opening, refused, yield* Clock.currentTimeMillis)) return false;
          yield* awaitTokenOrRecord(account, refused);
          return true;
        }),
        reject: Effect.fn("AccessTokens.reject")(function* (account, refused) {
          yield* recordIf(
            account,
            "token_refused",
            (opening) => opening?.accessToken != null && isSameToken(opening.accessToken.token, refused),
            (grant) => rejectGrant(grant, "token_refused"),
          );
          yield* refusals.announce;
        }),
      });
    }),
  );
}
