import { assert, it } from "@effect/vitest";
import { type Duration, Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";
import { AccountStanding } from "../../src/accounts/index.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import {
  AccessTokens,
  AppMisconfigured,
  GrantRefused,
  MailCredentials,
  type ProviderError,
  ProviderUnavailable,
} from "../../src/oauth/index.ts";
import { CredentialRefusals } from "../../src/oauth/CredentialRefusals.ts";
import type { MailboxAccessError } from "../../src/mail/index.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";

const ME = AccountId("me@example.org");

type Answer = ReturnType<CredentialVault["Service"]["find"]>;
const KEPT = { username: ME, version: 1, rejectedAt: null };
const GRANT: Answer = Effect.succeed(Option.some({ _tag: "Grant", ...KEPT }));
const PASSWORD: Answer = Effect.succeed(Option.some({ _tag: "Password", password: Redacted.make("x"), ...KEPT }));
const AWAY: Answer = Effect.fail(new StoreUnavailable({ detail: "away" }));

/**
 * Runs a session for this time, while the store gives these answers and then a grant; returns how often the token of
 * the session was refreshed.
 */
const sessionsKeptFresh = Effect.fnUntraced(function* (
  answers: ReadonlyArray<Answer>,
  time: Duration.Input = "1 minute",
) {
  let asked = 0;
  let kept = 0;
  const credentials = MailCredentials.layer.pipe(
    Layer.provide([
      Layer.mock(CredentialVault, {
        find: () => Effect.suspend(() => answers[asked++] ?? GRANT),
      }),
      Layer.mock(AccessTokens, { keepFresh: () => Effect.suspend(() => ((kept += 1), Effect.never)) }),
      Layer.mock(CredentialRefusals, {}),
      Layer.mock(AccountStanding, {}),
    ]),
  );
  yield* Effect.provide(
    Effect.gen(function* () {
      yield* Effect.forkScoped((yield* MailCredentials).keepFresh(ME));
      yield* TestClock.adjust(time);
    }),
    credentials,
  );
  return kept;
}, Effect.scoped);

describe("the token of a session", () => {
  it.effect.each([0, 1, 10])(
    "is kept fresh even if the store was unavailable %d times at the start of the session [S11.4-2]",
    (failures) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* sessionsKeptFresh(Array.from({ length: failures }, () => AWAY)), 1);
      }),
  );

  it.effect("is kept fresh even if the session began before the user consented [S11.4-2]", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* sessionsKeptFresh([PASSWORD, PASSWORD], "4 minutes"), 0);
      assert.strictEqual(yield* sessionsKeptFresh([PASSWORD, PASSWORD], "10 minutes"), 1);
    }),
  );
});

describe("a refused credential", () => {
  const refused = { credential: { _tag: "Password", username: ME, password: Redacted.make("x") }, version: 3 } as const;
  const rejectedBy = Effect.fnUntraced(function* (explained: boolean, isConfirmed: boolean) {
    const rejected: Array<number> = [];
    const credentials = MailCredentials.layer.pipe(
      Layer.provide([
        Layer.mock(CredentialVault, {
          markRejected: (_, version) => Effect.sync(() => void rejected.push(version)),
        }),
        Layer.mock(AccessTokens, {}),
        Layer.mock(CredentialRefusals, { announce: Effect.void }),
        Layer.mock(AccountStanding, { recordDoubt: () => Effect.succeed(isConfirmed) }),
      ]),
    );
    const failure = yield* Effect.provide(
      Effect.flatMap(MailCredentials, ({ reject }) => Effect.flip(reject(ME, refused, explained))),
      credentials,
    );
    return [failure._tag === "MailServerError" ? failure.reason : failure._tag, rejected];
  });

  it.effect(
    "is rejected at once if the server names a reason, otherwise only by a second refusal [S10.3-7] [S10.3-8] [S3.7-1]",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* rejectedBy(true, false), ["MailboxCredentialsRejected", [3]]);
        assert.deepStrictEqual(yield* rejectedBy(false, false), ["sign_in_unclear", []]);
        assert.deepStrictEqual(yield* rejectedBy(false, true), ["MailboxCredentialsRejected", [3]]);
      }),
  );
});

it.effect("tells a credential that this process cannot decrypt from a database that is down [S3.7-8]", () =>
  Effect.gen(function* () {
    for (const [isSealed, told] of [
      [true, "credential_unreadable"],
      [false, "StoreUnavailable"],
    ] as const) {
      const credentials = MailCredentials.layer.pipe(
        Layer.provide([
          Layer.mock(CredentialVault, { reveal: () => new StoreUnavailable({ detail: "x", isSealed }) }),
          Layer.mock(AccessTokens, {}),
          Layer.mock(CredentialRefusals, {}),
          Layer.mock(AccountStanding, {}),
        ]),
      );
      const failure = yield* Effect.provide(
        Effect.flatMap(MailCredentials, ({ of }) => Effect.flip(of(ME))),
        credentials,
      );
      assert.strictEqual(failure._tag === "MailServerError" ? failure.reason : failure._tag, told);
    }
  }),
);

describe("the credential of an account", () => {
  type Kept = Effect.Success<ReturnType<CredentialVault["Service"]["reveal"]>>;
  const password = Redacted.make("secret");
  const token = Redacted.make("token");

  /** The credentials of an account with this stored credential, and the actions on them. */
  const credentialsOf = (
    kept: Kept,
    ofProvider: Effect.Effect<Redacted.Redacted, ProviderError | StoreUnavailable> = Effect.succeed(token),
  ) => {
    const did: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void did.push(what));
    const away = (what: string) => Effect.andThen(note(what), Effect.fail(new StoreUnavailable({ detail: "away" })));
    const layer = MailCredentials.layer.pipe(
      Layer.provide([
        Layer.mock(CredentialVault, {
          reveal: () => Effect.succeed(kept),
          markRejected: (_, version) => note(`rejected ${version}`),
        }),
        Layer.mock(AccessTokens, {
          of: () => ofProvider,
          renew: (_, refused) => Effect.map(ofProvider, (next) => Redacted.value(next) !== Redacted.value(refused)),
          reject: (_, refused) => note(`rejected ${Redacted.value(refused)}`),
        }),
        Layer.mock(CredentialRefusals, { announce: note("announced") }),
        Layer.mock(AccountStanding, {
          recordAccepted: () => away("accepted"),
          recordAnswer: () => away("answered"),
        }),
      ]),
    );
    const using = <A, E>(use: (one: MailCredentials["Service"]) => Effect.Effect<A, E>) =>
      Effect.provide(Effect.flatMap(MailCredentials, use), layer);
    return { did, using };
  };
  const ofPassword = credentialsOf({ _tag: "Password", username: "user", password, version: 3 } as Kept);
  const GRANTED = { _tag: "Grant", username: "user", version: 4 } as Kept;
  const oldToken = { _tag: "AccessToken", username: "user", token: Redacted.make("old") } as const;

  it.effect("is its password, or a token for its grant, each with the user name and the version", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ofPassword.using(({ of }) => of(ME)), {
        credential: { _tag: "Password", username: "user", password } as never,
        version: 3,
      });
      assert.deepStrictEqual(yield* credentialsOf(GRANTED).using(({ of }) => of(ME)), {
        credential: { _tag: "AccessToken", username: "user", token },
        version: 4,
      });
    }),
  );

  it.effect("is renewed only if it is a token that the provider replaces", () =>
    Effect.gen(function* () {
      const { credential } = yield* ofPassword.using(({ of }) => of(ME));
      assert.isFalse(yield* ofPassword.using(({ renew }) => renew(ME, { credential, version: 3 })));
      const { using } = credentialsOf(GRANTED);
      assert.isTrue(yield* using(({ renew }) => renew(ME, { credential: oldToken, version: 4 })));
      assert.isFalse(yield* using(({ renew }) => renew(ME, { credential: { ...oldToken, token }, version: 4 })));
    }),
  );

  it.effect("is missing for the reason that the provider names", () =>
    Effect.gen(function* () {
      for (const [error, told] of [
        [new GrantRefused({ fault: "grant_revoked" }), ["MailboxCredentialsRejected"]],
        [
          new AppMisconfigured({ fault: "client_refused" }),
          ["app_misconfigured", "token", "the provider refuses the OAuth2 app"],
        ],
        [
          new ProviderUnavailable({ retryAfter: 1_000 }),
          ["provider_unavailable", "token", "the OAuth2 provider issues no token now"],
        ],
        [new StoreUnavailable({ detail: "away" }), ["StoreUnavailable"]],
      ] as const) {
        const { using } = credentialsOf(GRANTED, Effect.fail(error));
        const asked = [
          using(({ of }) => of(ME)),
          using(({ renew }) => renew(ME, { credential: oldToken, version: 4 })),
        ] as ReadonlyArray<Effect.Effect<unknown, MailboxAccessError>>;
        for (const one of asked) {
          const failure = yield* Effect.flip(one);
          assert.deepStrictEqual(
            failure._tag === "MailServerError" ? [failure.reason, failure.operation, failure.detail] : [failure._tag],
            [...told],
          );
        }
      }
    }),
  );

  it.effect("is rejected by its token, or by the version of its password, which is announced", () =>
    Effect.gen(function* () {
      for (const [credential, did] of [
        [oldToken, ["rejected old"]],
        [{ _tag: "Password", username: "user", password } as const, ["rejected 4", "announced"]],
      ] as const) {
        const world = credentialsOf(GRANTED);
        const failure = yield* world.using(({ reject }) => Effect.flip(reject(ME, { credential, version: 4 }, true)));
        assert.deepStrictEqual([failure._tag, world.did], ["MailboxCredentialsRejected", [...did]]);
      }
    }),
  );

  it.effect("is recorded as accepted and answered, which never fails", () =>
    Effect.gen(function* () {
      const { did, using } = credentialsOf(GRANTED);
      yield* using(({ recordAccepted, recordAnswer }) => Effect.andThen(recordAccepted(ME), recordAnswer(ME)));
      assert.deepStrictEqual(did, ["accepted", "answered"]);
    }),
  );
});
