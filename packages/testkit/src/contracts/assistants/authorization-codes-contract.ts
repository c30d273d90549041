import { assert, layer } from "@effect/vitest";
import { type AuthorizationCode, AuthorizationCodes } from "@postern/core/assistants";
import type { Transaction } from "@postern/core/shared";
import { Effect, type Layer, Option } from "effect";
import { besideTransaction } from "../beside-transaction.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const NOW = 1_900_000_000_000;

const insert = Effect.fnUntraced(function* (over: Partial<AuthorizationCode> = {}) {
  const code: AuthorizationCode = {
    id: globalThis.crypto.randomUUID(),
    account: yield* freshAccount,
    client: { id: "client_1", name: "Assistant", host: null },
    redirectUri: "http://127.0.0.1:1/callback",
    challenge: "challenge",
    scopes: ["mail:read"],
    sendPolicy: { to: [], approval: "always" },
    expiresAt: NOW,
    ...over,
  };
  yield* (yield* AuthorizationCodes).insert(code);
  return code;
});

/** The contract of `AuthorizationCodes`. */
export const authorizationCodesContract = (
  name: string,
  live: Layer.Layer<AuthorizationCodes | Transaction, unknown>,
) =>
  layer(live)(name, (it) => {
    it.effect("gives a code to one of concurrent calls", () =>
      Effect.gen(function* () {
        const codes = yield* AuthorizationCodes;
        const code = yield* insert();
        assert.deepStrictEqual(yield* codes.take(code.id.slice(1)), Option.none());
        const taken = yield* Effect.all(
          Array.from({ length: 20 }, () => codes.take(code.id)),
          { concurrency: "unbounded" },
        );
        assert.deepStrictEqual(taken.filter(Option.isSome), [Option.some(code)]);
      }),
    );

    it.effect(
      "removes the codes of an account only after a transaction that takes one, and gives out none after that",
      () =>
        Effect.gen(function* () {
          const codes = yield* AuthorizationCodes;
          const [first, second] = [yield* insert(), yield* insert()];
          const taken = yield* besideTransaction(codes.take(first.id), codes.removeAll(first.account));
          assert.deepStrictEqual([taken.hasWaited, taken.results[0]], [true, Option.some(first)]);
          const removed = yield* besideTransaction(codes.removeAll(second.account), codes.take(second.id));
          assert.deepStrictEqual([removed.hasWaited, removed.results[1]], [true, Option.none()]);
        }),
    );

    it.effect("removes the codes of an account, and those that expired", () =>
      Effect.gen(function* () {
        const codes = yield* AuthorizationCodes;
        const gone = yield* insert();
        const expired = yield* insert({ expiresAt: NOW - 1 });
        const kept = yield* insert();
        yield* codes.removeAll(gone.account);
        yield* codes.removeExpired(NOW);
        assert.deepStrictEqual(yield* codes.take(gone.id), Option.none());
        assert.deepStrictEqual(yield* codes.take(expired.id), Option.none());
        assert.deepStrictEqual(yield* codes.take(kept.id), Option.some(kept));
      }),
    );
  });
