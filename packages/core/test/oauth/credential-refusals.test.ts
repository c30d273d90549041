import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Option } from "effect";
import { type Account, AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import { MailboxCredentialsRejected } from "../../src/mail/index.ts";
import { CredentialRefusals } from "../../src/oauth/CredentialRefusals.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { letRun } from "./token-world.ts";

const ME = AccountId("me@postern.test");

/** An account whose credential has this version. */
const world = (version: ReturnType<CredentialVault["Service"]["version"]> = Effect.succeed(4)) => {
  const state = { account: newAccount(ME, 0) as Account, rejected: Array<string>() };
  const layer = CredentialRefusals.layer.pipe(
    Layer.provide([
      Layer.mock(CredentialVault, {
        version: () => version,
        markRejected: (account, of) => Effect.sync(() => void state.rejected.push(`${of} of ${account}`)),
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
    ]),
  );
  const using = <A, E>(use: (refusals: CredentialRefusals["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(CredentialRefusals, use), layer);
  return { state, using };
};

describe("the refusal of a credential", () => {
  it.effect("is recorded for the current version, with the fault that the provider names", () =>
    Effect.gen(function* () {
      const { state, using } = world();
      yield* using(({ record }) => record(ME, "grant_revoked"));
      assert.deepStrictEqual(state, {
        account: { ...newAccount(ME, 0), refusedCause: "grant_revoked" },
        rejected: [`4 of ${ME}`],
      });
    }),
  );

  it.effect("changes no account if the mail server refused the credential", () =>
    Effect.gen(function* () {
      const { state, using } = world();
      yield* using(({ record }) => record(ME, null));
      assert.deepStrictEqual(state, { account: newAccount(ME, 0), rejected: [`4 of ${ME}`] });
    }),
  );

  it.effect("is not recorded again for a credential that was refused before", () =>
    Effect.gen(function* () {
      const { state, using } = world(Effect.fail(new MailboxCredentialsRejected()));
      yield* using(({ record }) => record(ME, "grant_revoked"));
      assert.deepStrictEqual(state, { account: newAccount(ME, 0), rejected: [] });
    }),
  );

  it.effect("fails if the store is away, so that it is recorded later", () =>
    Effect.gen(function* () {
      const { state, using } = world(Effect.fail(new StoreUnavailable({ detail: "away" })));
      const failure = yield* using(({ record }) => Effect.flip(record(ME, "grant_revoked")));
      assert.strictEqual(failure._tag, "StoreUnavailable");
      assert.deepStrictEqual(state.rejected, []);
    }),
  );

  it.effect("wakes the waiting process once it is announced, also if that was earlier", () =>
    world().using(({ announce, awaitRecorded }) =>
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(awaitRecorded);
        yield* letRun;
        assert.isUndefined(waiting.pollUnsafe());
        yield* announce;
        yield* Fiber.join(waiting);
        yield* announce;
        yield* announce;
        yield* awaitRecorded;
        const idle = yield* Effect.forkChild(awaitRecorded);
        yield* letRun;
        assert.isUndefined(idle.pollUnsafe());
      }),
    ),
  );
});
