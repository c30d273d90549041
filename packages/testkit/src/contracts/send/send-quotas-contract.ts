import { assert, layer } from "@effect/vitest";
import { SendQuotas, type SendQuota, UNUSED_QUOTA } from "@postern/core/send";
import { Effect, type Layer, Result } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { errorOf } from "../error-of.ts";

/** The contract of `SendQuotas` (spec 6). */
export const sendQuotasContract = (name: string, live: Layer.Layer<SendQuotas, unknown>) =>
  layer(live)(name, (it) => {
    const oneMore = ({ minute, day }: SendQuota): Result.Result<SendQuota, "full"> =>
      minute.used >= 20
        ? Result.fail("full" as const)
        : Result.succeed({ minute: { startedAt: 5, used: minute.used + 1 }, day: { ...day, used: day.used + 2 } });

    it.effect("starts unused, changes, and stays unchanged on a failure", () =>
      Effect.gen(function* () {
        const quotas = yield* SendQuotas;
        const account = yield* freshAccount;
        const seen: Array<SendQuota> = [];
        yield* quotas.modify(account, (quota) => {
          seen.push(quota);
          return oneMore(quota);
        });
        assert.deepStrictEqual(seen, [UNUSED_QUOTA]);
        assert.strictEqual(yield* errorOf(quotas.modify(account, () => Result.fail("no" as const))), "no");
        const after = yield* quotas.modify(account, Result.succeed);
        assert.deepStrictEqual(after, { minute: { startedAt: 5, used: 1 }, day: { startedAt: 0, used: 2 } });
        yield* quotas.erase(account);
        assert.deepStrictEqual(yield* quotas.modify(account, Result.succeed), UNUSED_QUOTA);
      }),
    );

    it.effect("counts each account and key separately", () =>
      Effect.gen(function* () {
        const quotas = yield* SendQuotas;
        const [account, keyId] = [yield* freshAccount, globalThis.crypto.randomUUID()];
        yield* quotas.modify(keyId, oneMore);
        assert.deepStrictEqual(yield* quotas.modify(account, Result.succeed), UNUSED_QUOTA);
        assert.strictEqual((yield* quotas.modify(keyId, Result.succeed)).minute.used, 1);
        yield* quotas.erase(account);
        assert.strictEqual((yield* quotas.modify(keyId, Result.succeed)).minute.used, 1);
        yield* quotas.erase(keyId);
        assert.deepStrictEqual(yield* quotas.modify(keyId, Result.succeed), UNUSED_QUOTA);
      }),
    );

    it.effect("loses none of many concurrent changes", () =>
      Effect.gen(function* () {
        const quotas = yield* SendQuotas;
        const account = yield* freshAccount;
        const results = yield* Effect.forEach(
          Array.from({ length: 30 }),
          () => Effect.result(quotas.modify(account, oneMore)),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(results.filter(Result.isSuccess), 20);
        assert.strictEqual((yield* quotas.modify(account, Result.succeed)).minute.used, 20);
      }),
    );
  });
