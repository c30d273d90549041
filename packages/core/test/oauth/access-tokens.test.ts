import { assert, describe, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AppMisconfigured, GrantRefused, ProviderUnavailable } from "../../src/oauth/index.ts";
import { always, HOUR, letRun, ME, NOW, SECOND, SHARED, tokenAt, tokens, world } from "./token-world.ts";

describe("the access token of an account", () => {
  it.effect("is the stored one, also after 80 % of its lifetime, while a new one is fetched [S11.4-2]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(0.79 * HOUR), "first");
      assert.deepStrictEqual(state.asked, []);
      assert.strictEqual(yield* tokenAt(0.8 * HOUR), "first");
      yield* letRun;
      assert.deepStrictEqual(state.asked, ["refresh of first"]);
      assert.strictEqual(yield* tokenAt(0.8 * HOUR + 1), "next 1");
      assert.strictEqual(yield* tokenAt(1.7 * HOUR), "next 1");
      yield* letRun;
      assert.deepStrictEqual(state.asked, ["refresh of first", "refresh of next 1"]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is fetched once for all who wait for it, and stored before it is used [S11.4-3]", () => {
    const { state, layer, grant } = world();
    return Effect.gen(function* () {
      const answer = yield* Deferred.make<void>();
      state.refresh = Effect.as(Deferred.await(answer), tokens("new"));
      const waiting = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(tokenAt(HOUR)));
      yield* letRun;
      assert.strictEqual(grant().state, "refreshing");
      assert.strictEqual(grant().lease?.until, NOW + HOUR + 15 * SECOND);
      yield* Deferred.succeed(answer, undefined);
      yield* letRun;
      yield* TestClock.adjust("100 millis");
      assert.deepStrictEqual(yield* Effect.forEach(waiting, Fiber.join), ["new", "new", "new"]);
      assert.strictEqual(state.asked.length, 1);
      assert.strictEqual(state.announced, 1);
      assert.deepInclude(grant(), { state: "active", lease: null });
      assert.deepStrictEqual(grant().accessToken, {
        token: Redacted.make("new"),
        issuedAt: NOW + HOUR,
        expiresAt: NOW + 2 * HOUR,
      });
    }).pipe(Effect.provide(layer));
  });

  it.effect("is fetched even if its caller is interrupted, with a lease that is renewed every second", () => {
    const { state, layer, grant } = world();
    state.refresh = Effect.as(Effect.sleep("20 seconds"), tokens("new"));
    return Effect.gen(function* () {
      const caller = yield* Effect.forkChild(tokenAt(HOUR));
      yield* letRun;
      yield* Fiber.interrupt(caller);
      yield* TestClock.adjust("10 seconds");
      assert.strictEqual(grant().lease?.until, NOW + HOUR + 25 * SECOND);
      yield* TestClock.adjust("10 seconds");
      assert.deepInclude(grant(), { state: "active", lease: null });
      assert.strictEqual(yield* tokenAt(HOUR + 30 * SECOND), "new");
      assert.strictEqual(state.asked.length, 1);
    }).pipe(Effect.provide(layer));
  });

  it.effect(
    "is written again while the store is unavailable, because only this answer has a valid refresh token",
    () => {
      const { state, layer } = world();
      state.writesFail = 3;
      return Effect.gen(function* () {
        const caller = yield* Effect.forkChild(tokenAt(HOUR));
        yield* letRun;
        yield* TestClock.adjust("749 millis");
        assert.isUndefined(caller.pollUnsafe());
        yield* TestClock.adjust("1 millis");
        assert.strictEqual(yield* Fiber.join(caller), "next 1");
        assert.strictEqual(state.asked.length, 1);
      }).pipe(Effect.provide(layer));
    },
  );

  it.effect("of an account without a grant is refused", () => {
    const { layer } = world();
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(0, SHARED), "GrantRefused grant_revoked");
    }).pipe(Effect.provide(layer));
  });

  it.effect("of a shared mailbox is its owner's, and the end of that grant is recorded for both", () => {
    const { state, layer, share } = world();
    share();
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(0, SHARED), "first");
      state.refresh = Effect.fail(new GrantRefused({ fault: "password_changed" }));
      assert.strictEqual(yield* tokenAt(HOUR, SHARED), "GrantRefused password_changed");
      assert.deepStrictEqual(new Set(state.refused), new Set([`${ME} password_changed`, `${SHARED} password_changed`]));
      assert.isAtLeast(state.announced, 2);
    }).pipe(Effect.provide(layer));
  });
});

describe("a token that another process fetches", () => {
  it.effect("is polled at growing intervals of a second at most", () => {
    const { state, layer } = world();
    const held = { ...state.grants.get(ME)!, state: "refreshing", lease: { token: "other", until: NOW * 2 } } as const;
    state.grants.set(ME, held);
    return Effect.gen(function* () {
      const caller = yield* Effect.forkChild(tokenAt(HOUR));
      yield* letRun;
      // The store is polled after 100, 300, 700, 1500, 2500, … milliseconds.
      yield* TestClock.adjust("1501 millis");
      const fresh = { token: Redacted.make("theirs"), issuedAt: NOW + HOUR, expiresAt: NOW + 2 * HOUR };
      state.grants.set(ME, { ...held, state: "active", lease: null, accessToken: fresh });
      yield* TestClock.adjust("998 millis");
      assert.isUndefined(caller.pollUnsafe());
      yield* TestClock.adjust("1 millis");
      assert.strictEqual(yield* Fiber.join(caller), "theirs");
      assert.deepStrictEqual(state.asked, []);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is waited for 25 seconds, and then unavailable", () => {
    const { state, layer } = world();
    state.grants.set(ME, { ...state.grants.get(ME)!, state: "refreshing", lease: { token: "other", until: NOW * 2 } });
    return Effect.gen(function* () {
      const caller = yield* Effect.forkChild(tokenAt(HOUR));
      yield* letRun;
      yield* TestClock.adjust("25 seconds");
      assert.isUndefined(caller.pollUnsafe());
      yield* TestClock.adjust("1 second");
      assert.strictEqual(yield* Fiber.join(caller), "ProviderUnavailable null");
    }).pipe(Effect.provide(layer));
  });

  it.effect("is not overwritten by a process whose lease was lost meanwhile", () => {
    const { state, layer, grant } = world();
    return Effect.gen(function* () {
      const theirs = { token: "other", until: NOW * 2 };
      state.refresh = Effect.map(Effect.sleep("100 millis"), () => {
        state.grants.set(ME, { ...grant(), lease: theirs });
        return tokens("ours");
      });
      const caller = yield* Effect.forkChild(tokenAt(HOUR));
      yield* letRun;
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(grant().lease, theirs);
      assert.strictEqual(Redacted.value(grant().accessToken!.token), "first");
      yield* Fiber.interrupt(caller);
    }).pipe(Effect.provide(layer));
  });
});

describe("a provider that issues no token", () => {
  it.effect("because it ended the grant makes a consent necessary, and is not asked again [S11.4-9]", () => {
    const { state, layer, grant } = world();
    state.refresh = Effect.fail(new GrantRefused({ fault: "mfa_required" }));
    return Effect.gen(function* () {
      for (const after of [HOUR, 9 * HOUR]) assert.strictEqual(yield* tokenAt(after), "GrantRefused mfa_required");
      assert.deepInclude(grant(), { state: "needs_reauth", fault: "mfa_required" });
      assert.strictEqual(state.asked.length, 1);
      assert.include(state.refused, `${ME} mfa_required`);
    }).pipe(Effect.provide(layer));
  });

  it.effect("because it refuses the app is asked again in a minute, and the account says so [S11.4-10]", () => {
    const { state, layer } = world();
    state.refresh = Effect.fail(new AppMisconfigured({ fault: "client_secret_wrong" }));
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(HOUR), "AppMisconfigured client_refused");
      assert.deepStrictEqual(state.account.unreachable, { cause: "app_misconfigured", since: NOW + HOUR });
      assert.strictEqual(yield* tokenAt(HOUR + 60 * SECOND - 1), "AppMisconfigured client_refused");
      assert.strictEqual(state.asked.length, 1);
      state.refresh = undefined;
      assert.strictEqual(yield* tokenAt(HOUR + 60 * SECOND), "next 2");
      assert.isNull(state.account.unreachable);
      assert.deepStrictEqual(state.refused, []);
    }).pipe(Effect.provide(layer));
  });

  it.effect(
    "because it is unavailable is asked again after its Retry-After, and the account shows the reason [S11.4-11]",
    () => {
      const { state, layer } = world();
      state.refresh = Effect.fail(new ProviderUnavailable({ retryAfter: 30 * SECOND }));
      return Effect.gen(function* () {
        assert.strictEqual(yield* tokenAt(HOUR), `ProviderUnavailable ${30 * SECOND}`);
        assert.deepStrictEqual(state.account.unreachable, { cause: "provider_unavailable", since: NOW + HOUR });
        assert.strictEqual(yield* tokenAt(HOUR + 10 * SECOND), `ProviderUnavailable ${20 * SECOND}`);
        assert.strictEqual(state.asked.length, 1);
      }).pipe(Effect.provide(layer), always(0));
    },
  );

  it.effect("leaves the account unchanged while the old token is valid", () => {
    const { state, layer, grant } = world();
    state.refresh = Effect.fail(new ProviderUnavailable({ retryAfter: null }));
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(0.9 * HOUR), "first");
      yield* letRun;
      assert.strictEqual(grant().state, "provider_unavailable");
      assert.isNull(state.account.unreachable);
    }).pipe(Effect.provide(layer), always(0));
  });
});
