import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountChanges } from "../../src/lifecycle/AccountChanges.ts";
import { AccessTokens, GrantRefused } from "../../src/oauth/index.ts";
import { accountsInMemory, at, ME, NOW } from "./accounts-in-memory.ts";

const ENDED = Effect.fail(new GrantRefused({ fault: "grant_revoked" }));

/** An account with a grant, and tokens with these answers. */
const world = (tokens: Partial<AccessTokens["Service"]>) => {
  const { enter, services, state } = accountsInMemory();
  enter();
  state.vault.set(ME, { _tag: "Grant", username: ME, version: 3, rejectedAt: null });
  const layer = AccountChanges.layer.pipe(
    Layer.provide(Layer.merge(services, Layer.mock(AccessTokens, tokens as never))),
  );
  const using = <A, E>(body: (changes: AccountChanges["Service"]) => Effect.Effect<A, E>) =>
    Effect.andThen(TestClock.setTime(NOW), Effect.provide(Effect.flatMap(AccountChanges, body), layer));
  return { state, using };
};

describe("an account whose grant has ended", () => {
  it.effect("gets no servers; the refusal names the first of them, which were not asked", () =>
    Effect.gen(function* () {
      const { state, using } = world({ of: () => ENDED });
      const refused = yield* using(({ change }) => Effect.flip(change(ME, { servers: at("own.test") }, null)));
      assert.deepInclude(JSON.parse(JSON.stringify(refused)), {
        _tag: "AccountUnverified",
        imap: { host: "own.test", port: 993, cause: "auth_refused" },
        smtp: { host: "own.test", port: 465, cause: "auth_refused" },
        isUnclear: false,
      });
      assert.deepStrictEqual([state.shown, state.did], [[], []]);
    }),
  );

  it.effect("is verified without asking its servers, or once with the token that cannot be renewed", () =>
    Effect.gen(function* () {
      for (const [tokens, shown] of [
        [{ of: () => ENDED }, []],
        [{ of: () => Effect.succeed(Redacted.make("wrong")), renew: () => ENDED }, ["imap own.test wrong"]],
      ] as const) {
        const { state, using } = world(tokens);
        const { verification } = yield* using(({ verify }) => verify(ME, null));
        assert.strictEqual(verification.imap.cause, "auth_refused");
        assert.deepStrictEqual(state.shown, [...shown]);
      }
    }),
  );

  it.effect("stays refused if it ends while a server accepts its last token [S11.4-9] [S10.3-11]", () =>
    Effect.gen(function* () {
      const { state, using } = world({ of: () => Effect.succeed(Redacted.make("right")) });
      const ended = { refusedAt: NOW, refusedCause: "grant_revoked" } as const;
      state.whileAsked = () => state.accounts.set(ME, { ...state.accounts.get(ME)!, ...ended });
      const { account, verification } = yield* using(({ verify }) => verify(ME, null));
      assert.isNull(verification.imap.cause);
      assert.deepInclude(account, ended);
      assert.deepStrictEqual(state.did, []);
    }),
  );

  it.effect("gets no servers if it ends while they accept its last token", () =>
    Effect.gen(function* () {
      const { state, using } = world({ of: () => Effect.succeed(Redacted.make("right")) });
      state.whileAsked = () => state.accounts.set(ME, { ...state.accounts.get(ME)!, refusedAt: NOW });
      const refused = yield* using(({ change }) => Effect.flip(change(ME, { servers: at("own.test") }, null)));
      assert.deepInclude(JSON.parse(JSON.stringify(refused)), {
        _tag: "AccountUnverified",
        imap: { host: "own.test", port: 993, cause: "auth_refused" },
      });
      assert.deepStrictEqual(state.did, []);
    }),
  );
});
