import { assert, layer } from "@effect/vitest";
import { IdempotencyKeys, type IdempotencyRecord, type SendAnswer } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

const answer: SendAnswer = {
  outcome: "sent",
  id: "out_1",
  messageId: "<out_1@x.test>",
  rejected: [{ recipient: "a@y.test", status: "5.1.1", detail: "550 5.1.1 nein ✓" }],
  detail: "",
};

/** The contract of `IdempotencyKeys` (spec 6). */
export const idempotencyKeysContract = (name: string, live: Layer.Layer<IdempotencyKeys, unknown>) =>
  layer(live)(name, (it) => {
    const newRecord = Effect.map(freshAccount, (account): IdempotencyRecord => ({
      account,
      key: 'k-1 "ü" ✓',
      bodyHash: "h",
      outgoingId: uuid(),
      createdAt: 1_000,
      answer: null,
    }));

    it.effect("gives a key to the first request, and stores the first answer", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const record = yield* newRecord;
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.none());
        assert.isTrue(yield* keys.take(record, 0));
        assert.isFalse(yield* keys.take({ ...record, outgoingId: uuid() }, 999));
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.some(record));
        yield* keys.answer(record.outgoingId, answer);
        yield* keys.answer(record.outgoingId, { ...answer, outcome: "queued" });
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.some({ ...record, answer }));
      }),
    );

    it.effect("gives out an expired key again, without its old record", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const record = { ...(yield* newRecord), answer };
        yield* keys.take(record, 0);
        const next = { ...record, bodyHash: "other", outgoingId: uuid(), createdAt: 2_000, answer: null };
        assert.isTrue(yield* keys.take(next, 1_000));
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.some(next));
      }),
    );

    it.effect("deletes up to `limit` keys used before a time", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const records = yield* Effect.forEach([10, 20, 30], (createdAt) =>
          Effect.map(newRecord, (record) => ({ ...record, outgoingId: uuid(), createdAt })),
        );
        for (const record of records) yield* keys.take(record, 0);
        const isThere = Effect.forEach(records, ({ account, key }) =>
          Effect.map(keys.find(account, key), Option.isSome),
        );
        assert.strictEqual(yield* keys.forget(9, 100), 0);
        assert.strictEqual(yield* keys.forget(20, 1), 1);
        assert.strictEqual(yield* keys.forget(20, 100), 1);
        assert.deepStrictEqual(yield* isThere, [false, false, true]);
      }),
    );

    it.effect("separates accounts, and gives a key to one of many concurrent requests", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const record = yield* newRecord;
        const other = { ...record, account: yield* freshAccount, outgoingId: uuid() };
        const taken = yield* Effect.forEach(
          Array.from({ length: 8 }, () => ({ ...record, outgoingId: uuid() })),
          (mine) => keys.take(mine, 0),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(taken.filter(Boolean), 1);
        assert.isTrue(yield* keys.take(other, 0));
        yield* keys.erase(record.account);
        assert.isTrue(Option.isNone(yield* keys.find(record.account, record.key)));
        assert.isTrue(Option.isSome(yield* keys.find(other.account, other.key)));
      }),
    );
  });
