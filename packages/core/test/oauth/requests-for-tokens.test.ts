import { assert, describe, it } from "@effect/vitest";
import { Clock, Effect, Fiber, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccessTokens, appOf, Apps, AuthorizationServer, type OAuthAppInput } from "../../src/oauth/index.ts";
import { newGrant } from "../../src/oauth/neighbours.ts";
import { requestToken, tokenRequester } from "../../src/oauth/request-tokens.ts";
import { AccountId } from "../../src/shared/index.ts";
import { HOUR, letRun, ME, NOW, SECOND, tokenAt, tokens, world } from "./token-world.ts";

describe("a request for a token", () => {
  it.effect("answers all who asked at the same time as soon as it ends", () => {
    const { state, layer } = world();
    state.refresh = Effect.as(Effect.sleep("50 millis"), tokens("new"));
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW + HOUR);
      const { of } = yield* AccessTokens;
      const timed = Effect.zip(Effect.map(of(ME), Redacted.value), Clock.currentTimeMillis);
      const waiting = yield* Effect.forkChild(Effect.all([timed, timed], { concurrency: "unbounded" }));
      yield* letRun;
      yield* TestClock.adjust("1 second");
      const told = ["new", NOW + HOUR + 50] as const;
      assert.deepStrictEqual(yield* Fiber.join(waiting), [[...told], [...told]]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is lost if its answer cannot be stored for five minutes", () =>
    Effect.gen(function* () {
      for (const [fails, token] of [
        [1_200, "next 1"],
        [1_201, "first"],
      ] as const) {
        const { state, layer, grant } = world();
        state.writesFail = fails;
        yield* Effect.gen(function* () {
          yield* Effect.forkChild(tokenAt(HOUR));
          yield* letRun;
          yield* TestClock.adjust("6 minutes");
          const kept = grant().accessToken;
          assert.strictEqual(kept && Redacted.value(kept.token), token);
        }).pipe(Effect.provide(layer));
      }
    }),
  );

  it.effect("changes nothing once another process has taken over its lease", () => {
    const { state, layer, grant } = world();
    state.refresh = Effect.as(Effect.sleep("20 seconds"), tokens("ours"));
    return Effect.gen(function* () {
      const caller = yield* Effect.forkChild(tokenAt(HOUR));
      yield* letRun;
      const theirs = { ...grant(), lease: { token: "theirs", until: NOW + 2 * HOUR } };
      state.grants.set(ME, theirs);
      yield* TestClock.adjust("21 seconds");
      assert.strictEqual(grant(), theirs);
      assert.deepStrictEqual([state.refused, state.asked.length], [[], 1]);
      yield* Fiber.interrupt(caller);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is not made if another process stored a token meanwhile", () => {
    const { state, layer } = world();
    const old = state.grants.get(ME)!;
    const theirs = { token: Redacted.make("theirs"), issuedAt: NOW + HOUR, expiresAt: NOW + 2 * HOUR };
    const fresh = { ...old, accessToken: theirs };
    let looks = 0;
    class Replaced extends Map<AccountId, typeof old> {
      override get(account: AccountId) {
        return looks++ === 0 ? old : super.get(account);
      }
    }
    state.grants = new Replaced([[ME, fresh]]);
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(HOUR + SECOND), "theirs");
      assert.deepStrictEqual(state.asked, []);
      assert.strictEqual(state.grants.get(ME), fresh);
    }).pipe(Effect.provide(layer));
  });
});

describe("a token of an app that needs no consent", () => {
  const outcomeFor = (account: string, input: Partial<OAuthAppInput>) => {
    const base = { id: "own", provider: "google", clientId: "c", clientSecret: "s", mode: "application" } as const;
    const read = appOf({ ...base, domains: ["x.test"], ...input });
    if ("faults" in read) throw new Error(JSON.stringify(read.faults));
    const { app } = read;
    const issued = tokens("issued");
    const id = AccountId(account);
    const grant = newGrant(id, id, { app, token: issued.accessToken, issued: null, askedAt: NOW, delegateOf: null });
    return Effect.gen(function* () {
      const { _tag } = yield* requestToken(yield* tokenRequester, grant);
      return _tag;
    }).pipe(
      Effect.provide(
        Layer.merge(
          Layer.mock(Apps, { list: Effect.succeed([]), find: () => Effect.succeedSome(app) }),
          Layer.mock(AuthorizationServer, { issue: () => Effect.succeed({ ...issued, refreshToken: null }) }),
        ),
      ),
    );
  };

  it.effect("is requested only for an account in its domains", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcomeFor("me@x.test", {}), "Issued");
      assert.strictEqual(yield* outcomeFor("me@y.test", {}), "Misconfigured");
      assert.strictEqual(yield* outcomeFor("me@y.test", { domains: ["x.test", "y.test"] }), "Issued");
    }),
  );

  it.effect("is requested for any account once the app that replaced it has no domains", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcomeFor("me@y.test", { mode: "delegated", domains: [] }), "Issued");
    }),
  );
});
