import { Effect, Layer, Option, Random, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { type Account, AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { CredentialRefusals } from "../../src/oauth/CredentialRefusals.ts";
import {
  AccessTokens,
  appOf,
  Apps,
  AuthorizationServer,
  type Grant,
  Grants,
  type IssuedTokens,
  type ProviderError,
} from "../../src/oauth/index.ts";
import { newGrant } from "../../src/oauth/neighbours.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { noTransaction, numberedIds } from "../doubles.ts";

export const NOW = 1_900_000_000_000;
export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const ME = AccountId("me@postern.test");
export const SHARED = AccountId("shared@postern.test");

const read = appOf({ id: "corp", provider: "google", clientId: "c" });
if ("faults" in read) throw new Error("the app is at fault");
const { app } = read;

export const tokens = (name: string): IssuedTokens => ({
  accessToken: Redacted.make(name),
  expiresIn: 3600,
  refreshToken: Redacted.make(`refresh of ${name}`),
  identity: null,
});

/** A grant of this account whose token `first` was issued at `NOW`; a provider that issues `next 1`, `next 2`, … */
export const world = () => {
  const issued = tokens("first");
  const grant = newGrant(ME, ME, { app, token: issued.accessToken, issued, askedAt: NOW, delegateOf: null });
  const state = {
    grants: new Map<AccountId, Grant>([[ME, grant]]),
    account: newAccount(ME, NOW) as Account,
    refresh: undefined as Effect.Effect<IssuedTokens, ProviderError> | undefined,
    /** Runs after a grant was read. */
    afterFound: undefined as ((account: AccountId) => unknown) | undefined,
    writesFail: 0,
    asked: Array<string>(),
    refused: Array<string>(),
    announced: 0,
  };
  const layer = AccessTokens.layer.pipe(
    Layer.provide([
      Layer.mock(Grants, {
        find: (account) =>
          Effect.sync(() => {
            const found = Option.fromUndefinedOr(state.grants.get(account));
            state.afterFound?.(account);
            return found;
          }),
        change: (account, decide) =>
          Effect.suspend(() => {
            const known = state.grants.get(account);
            if (known === undefined) return Effect.succeedNone;
            const [told, after] = decide(known);
            if (known.lease !== null && after.lease === null && state.writesFail-- > 0)
              return Effect.fail(new StoreUnavailable({ detail: "away" }));
            state.grants.set(account, after);
            return Effect.succeedSome(told);
          }),
      }),
      Layer.mock(AuthorizationServer, {
        refresh: (_, token) =>
          Effect.suspend(() => {
            state.asked.push(Redacted.value(token));
            return state.refresh ?? Effect.succeed(tokens(`next ${state.asked.length}`));
          }),
      }),
      Layer.mock(Apps, { list: Effect.succeed([]), find: () => Effect.succeedSome(app) }),
      Layer.succeed(CredentialRefusals, {
        record: (account, fault) => Effect.sync(() => void state.refused.push(`${account} ${fault}`)),
        announce: Effect.sync(() => void state.announced++),
        awaitRecorded: Effect.never,
      }),
      Layer.mock(AccountDirectory, {
        countByState: Effect.succeed({ active: 0, needs_reauth: 0, paused: 0, unreachable: 0 }),
        change: (_, decide) =>
          Effect.sync(() => {
            const [told, next] = decide(state.account);
            state.account = next;
            return Option.some(told);
          }),
      }),
      noTransaction,
      numberedIds,
    ]),
  );
  const share = () => {
    const shared = newGrant(SHARED, SHARED, {
      app,
      token: issued.accessToken,
      issued: null,
      askedAt: NOW,
      delegateOf: ME,
    });
    state.grants.set(SHARED, shared);
  };
  return { state, layer, share, grant: () => state.grants.get(ME)! };
};

export const always = (random: number) =>
  Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => random });

/** The token of an account at a time after `NOW`, or the error instead. */
export const tokenAt = (after: number, account = ME) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW + after);
    const { of } = yield* AccessTokens;
    return yield* Effect.match(of(account), {
      onSuccess: Redacted.value,
      onFailure: (error) =>
        "fault" in error
          ? `${error._tag} ${error.fault}`
          : "retryAfter" in error
            ? `${error._tag} ${error.retryAfter}`
            : error._tag,
    });
  });

export const letRun = Effect.repeat(Effect.yieldNow, { times: 100 });
