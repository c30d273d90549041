import { assert, it } from "@effect/vitest";
import { type Duration, Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";
import { AccountStanding } from "../../src/accounts/index.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import { AccessTokens, MailCredentials } from "../../src/oauth/index.ts";
import { CredentialRefusals } from "../../src/oauth/CredentialRefusals.ts";
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
