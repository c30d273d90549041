import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import {
  type Account,
  AccountDirectory,
  recordFailure,
  newAccount,
  reasonOf,
  stateOf,
} from "../../src/accounts/index.ts";
import { AccountStanding } from "../../src/accounts/index.ts";
import { withoutGrant, withoutToken } from "../../src/accounts/neighbours.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { AccountId } from "../../src/shared/index.ts";

const ME = AccountId("me@example.org");

/** A directory of one account that counts its reads. */
const standingOf = (first: Account) => {
  const world = { account: first, reads: 0 };
  const directory = Layer.mock(AccountDirectory, {
    find: () => Effect.sync(() => (world.reads++, Option.some(world.account))),
    change: <A>(_: AccountId, decide: (known: Account) => readonly [A, Account]) =>
      Effect.sync(() => {
        const [answer, next] = decide(world.account);
        world.account = next;
        return Option.some(answer);
      }),
  });
  return { world, layer: Layer.provide(AccountStanding.layer, directory) };
};

describe("the standing of an account", () => {
  it.effect("is active again once an open session answers, whichever path found it unreachable [S10.3-10]", () => {
    const { world, layer } = standingOf(recordFailure(newAccount(ME, 0), "timeout", 0));
    return Effect.gen(function* () {
      yield* (yield* AccountStanding).recordAnswer(ME);
      assert.strictEqual(stateOf(world.account), "active");
    }).pipe(Effect.provide(layer));
  });

  it.effect("lets a session use it unless it is paused", () =>
    Effect.gen(function* () {
      const check = (account: Account) =>
        Effect.provide(
          Effect.flatMap(AccountStanding, ({ checkNotPaused }) => checkNotPaused(account.id)),
          standingOf(account).layer,
        );
      const known = newAccount(ME, 0);
      assert.strictEqual((yield* Effect.flip(check({ ...known, pausedAt: 1 })))._tag, "AccountPaused");
      yield* check({ ...known, refusedAt: 1 });
    }),
  );

  it.effect("is read at most every five seconds, however many requests an open session answers", () => {
    const { world, layer } = standingOf(newAccount(ME, 0));
    return Effect.gen(function* () {
      const { recordAnswer } = yield* AccountStanding;
      for (let n = 0; n < 100; n++) yield* recordAnswer(ME);
      assert.strictEqual(world.reads, 1);
      world.account = recordFailure(world.account, "timeout", 0);
      yield* TestClock.adjust("5 seconds");
      yield* recordAnswer(ME);
      assert.strictEqual(stateOf(world.account), "active");
    }).pipe(Effect.provide(layer));
  });

  it.effect("is read again once ten thousand other accounts were looked at", () => {
    const { world, layer } = standingOf(newAccount(ME, 0));
    return Effect.gen(function* () {
      const { recordAnswer } = yield* AccountStanding;
      const others = (from: number, to: number) =>
        Effect.forEach(
          Array.from({ length: to - from }, (_, n) => AccountId(`a${from + n}@example.org`)),
          (account) => recordAnswer(account),
          { discard: true },
        );
      yield* recordAnswer(ME);
      yield* others(1, 10_000);
      yield* recordAnswer(ME);
      assert.strictEqual(world.reads, 10_000, "ME is remembered beside 9,999 others");
      yield* others(10_000, 10_001);
      yield* recordAnswer(ME);
      assert.strictEqual(world.reads, 10_002, "one account too many");
    }).pipe(Effect.provide(layer));
  });

  it.effect("counts a refusal without a reason as confirmed for an account that is not stored", () => {
    const directory = Layer.mock(AccountDirectory, { change: () => Effect.succeedNone });
    return Effect.gen(function* () {
      assert.isTrue(yield* (yield* AccountStanding).recordDoubt(ME));
    }).pipe(Effect.provide(Layer.provide(AccountStanding.layer, directory)));
  });

  it.effect("keeps the fault of a provider while a session opened with an older token is alive", () => {
    const { world, layer } = standingOf(withoutToken(newAccount(ME, 0), "provider_unavailable", 0));
    return Effect.gen(function* () {
      const { recordAnswer, recordAccepted } = yield* AccountStanding;
      yield* recordAnswer(ME);
      assert.strictEqual(reasonOf(world.account)?.cause, "provider_unavailable");
      yield* recordAccepted(ME);
      assert.strictEqual(stateOf(world.account), "active");
    }).pipe(Effect.provide(layer));
  });

  it.effect("keeps the reason why a provider ended the grant while a server accepts its last token [S11.4-9]", () => {
    const refused = { ...withoutGrant(newAccount(ME, 0), "grant_revoked"), refusedAt: 1 };
    const { world, layer } = standingOf(refused);
    return Effect.gen(function* () {
      yield* (yield* AccountStanding).recordAccepted(ME);
      assert.deepStrictEqual(world.account, refused);
    }).pipe(Effect.provide(layer));
  });

  it.effect("records nothing about a server that was not contacted", () => {
    const { world, layer } = standingOf(newAccount(ME, 0));
    return Effect.gen(function* () {
      const { recordUnreachable } = yield* AccountStanding;
      for (const reason of ["limited", "provider_unavailable", "app_misconfigured"] as const) {
        yield* recordUnreachable(ME, new MailServerError({ reason, operation: "connect", detail: "" }));
      }
      assert.strictEqual(stateOf(world.account), "active");
      yield* recordUnreachable(ME, new MailServerError({ reason: "busy", operation: "connect", detail: "" }));
      assert.strictEqual(reasonOf(world.account)?.cause, "unavailable");
    }).pipe(Effect.provide(layer));
  });
});
