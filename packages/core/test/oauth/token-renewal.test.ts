import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccessTokens, GrantRefused } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { HOUR, letRun, ME, NOW, SECOND, SHARED, tokenAt, world } from "./token-world.ts";

describe("a token that the mail server refused", () => {
  const renew = (refused: string, account = ME) =>
    Effect.flatMap(AccessTokens, (access) => access.renew(account, Redacted.make(refused)));

  it.effect("is replaced once in two minutes [S11.4-12]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      assert.isTrue(yield* renew("first"));
      assert.deepStrictEqual(state.asked, ["refresh of first"]);
      assert.isTrue(yield* renew("first"));
      assert.strictEqual(state.asked.length, 1);
      assert.isFalse(yield* renew("next 1"));
      yield* TestClock.setTime(NOW + 120 * SECOND);
      assert.isTrue(yield* renew("next 1"));
      assert.strictEqual(state.asked.length, 2);
    }).pipe(Effect.provide(layer));
  });

  it.effect("of a shared mailbox is replaced through its owner; without an account it is not", () => {
    const { state, layer, share } = world();
    share();
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      assert.isTrue(yield* renew("first", SHARED));
      assert.isFalse(yield* renew("next 1", SHARED));
      assert.strictEqual(state.asked.length, 1);
      assert.isFalse(yield* renew("first", AccountId("no@postern.test")));
    }).pipe(Effect.provide(layer));
  });

  it.effect("ends the grant if the token is new, and reports it", () => {
    const { state, layer, grant } = world();
    return Effect.gen(function* () {
      yield* Effect.flatMap(AccessTokens, ({ reject }) => reject(ME, Redacted.make("first")));
      assert.deepInclude(grant(), { state: "needs_reauth", fault: "token_refused", accessToken: null });
      assert.deepStrictEqual([state.refused, state.announced], [[`${ME} token_refused`], 1]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("ends no grant that has another token by then, also of a shared mailbox [S11.4-15]", () => {
    const { state, layer, grant, share } = world();
    share();
    return Effect.gen(function* () {
      for (const account of [ME, SHARED]) {
        yield* Effect.flatMap(AccessTokens, ({ reject }) => reject(account, Redacted.make("of the consent before")));
      }
      assert.deepInclude(grant(), { state: "active" });
      assert.deepStrictEqual(state.refused, []);
      yield* Effect.flatMap(AccessTokens, ({ reject }) => reject(SHARED, Redacted.make("first")));
      assert.deepInclude(grant(), { state: "active" });
      assert.deepStrictEqual(state.refused, [`${SHARED} token_refused`]);
    }).pipe(Effect.provide(layer));
  });
});

describe("the end of a grant", () => {
  const REVOKED = new GrantRefused({ fault: "grant_revoked" });

  it.effect("is not recorded for the password that replaced the grant meanwhile [S3.7-1] [S11.3-26]", () => {
    const { state, layer } = world();
    state.refresh = Effect.suspend(() => {
      state.grants.delete(ME);
      return REVOKED;
    });
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(HOUR), "GrantRefused grant_revoked");
      assert.deepStrictEqual(state.refused, []);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is not recorded for a shared mailbox whose owner has consented again meanwhile [S11.4-16]", () => {
    const { state, layer, share, grant } = world();
    share();
    const consented = grant();
    state.grants.set(ME, { ...consented, state: "needs_reauth", fault: "grant_revoked" });
    state.afterFound = (account) => account === ME && state.grants.set(ME, consented);
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(0, SHARED), "GrantRefused grant_revoked");
      assert.deepStrictEqual(state.refused, []);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is recorded for a shared mailbox whose owner signs in with a password now", () => {
    const { state, layer, share } = world();
    share();
    state.grants.delete(ME);
    return Effect.gen(function* () {
      assert.strictEqual(yield* tokenAt(0, SHARED), "GrantRefused grant_revoked");
      assert.deepStrictEqual(state.refused, [`${SHARED} grant_revoked`]);
    }).pipe(Effect.provide(layer));
  });
});

describe("a token that is kept fresh", () => {
  /** Returns how often the provider is asked within a time while a session keeps an account's token fresh. */
  const asksIn = (time: number, account: AccountId, { state, layer }: ReturnType<typeof world>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const fiber = yield* Effect.forkChild(Effect.flatMap(AccessTokens, ({ keepFresh }) => keepFresh(account)));
      yield* letRun;
      yield* TestClock.adjust(time);
      yield* letRun;
      yield* Fiber.interrupt(fiber);
      return state.asked.length;
    }).pipe(Effect.provide(layer));

  it.effect("is replaced at 80 % of its lifetime, and so are its successors [S11.4-2]", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* asksIn(0.8 * HOUR - 1, ME, world()), 0);
      assert.strictEqual(yield* asksIn(0.8 * HOUR, ME, world()), 1);
      assert.strictEqual(yield* asksIn(2.5 * HOUR, ME, world()), 3);
      const one = world();
      one.share();
      assert.strictEqual(yield* asksIn(0.8 * HOUR, SHARED, one), 1);
    }),
  );

  it.effect("is checked every minute, so that a new consent is noticed", () =>
    Effect.gen(function* () {
      const one = world();
      const due = one.grant();
      one.state.grants.delete(ME);
      yield* TestClock.setTime(NOW);
      const fiber = yield* Effect.forkChild(
        Effect.provide(
          Effect.flatMap(AccessTokens, ({ keepFresh }) => keepFresh(ME)),
          one.layer,
        ),
      );
      yield* letRun;
      one.state.grants.set(ME, { ...due, accessToken: null });
      yield* TestClock.adjust("59999 millis");
      assert.strictEqual(one.state.asked.length, 0);
      yield* TestClock.adjust("1 millis");
      yield* letRun;
      assert.strictEqual(one.state.asked.length, 1);
      yield* Fiber.interrupt(fiber);
    }),
  );
});
