import { assert, layer } from "@effect/vitest";
import { type CreationRecord, CreationRecords } from "@postern/core/creations";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

/** The contract of `CreationRecords` (spec 2.6). */
export const creationRecordsContract = (name: string, live: Layer.Layer<CreationRecords, unknown>) =>
  layer(live)(name, (it) => {
    const newRecord = Effect.map(freshAccount, (account): CreationRecord => ({
      caller: `owner ${account}`,
      key: 'k-1 "ü" ✓',
      requestHash: "h",
      account,
      resource: uuid(),
      createdAt: 1_000,
      lease: null,
    }));

    it.effect("gives a key to the first request of a caller", () =>
      Effect.gen(function* () {
        const records = yield* CreationRecords;
        const record = yield* newRecord;
        const other = { ...record, caller: "admin " + record.account, resource: uuid() };
        const find = ({ caller, key }: CreationRecord) => records.find(caller, key);
        assert.deepStrictEqual(yield* find(record), Option.none());
        assert.isTrue(yield* records.take(record, 0));
        assert.isFalse(yield* records.take({ ...record, resource: uuid() }, 0));
        assert.isTrue(yield* records.take(other, 0));
        assert.deepStrictEqual(yield* find(record), Option.some(record));
        assert.deepStrictEqual(yield* find(other), Option.some(other));
      }),
    );

    it.effect("gives out a key again once it expired, whether it is leased or not [S2.6-2]", () =>
      Effect.gen(function* () {
        const records = yield* CreationRecords;
        const record = { ...(yield* newRecord), lease: { token: "one", until: 2_000 } };
        const next = { ...record, requestHash: "other", resource: uuid(), createdAt: 2_000, lease: null };
        assert.isTrue(yield* records.take(record, 0));
        assert.isFalse(yield* records.take(next, 999));
        assert.isTrue(yield* records.take(next, 1_000));
        assert.isFalse(yield* records.take(record, 1_999));
        assert.isTrue(yield* records.take(record, 2_000));
        assert.deepStrictEqual(yield* records.find(record.caller, record.key), Option.some(record));
      }),
    );

    it.effect("replaces a record by the token of its lease alone", () =>
      Effect.gen(function* () {
        const records = yield* CreationRecords;
        const record = { ...(yield* newRecord), lease: { token: "one", until: 2_000 } };
        const done = { ...record, resource: uuid(), lease: null };
        assert.isFalse(yield* records.replace(done, "one"));
        yield* records.take(record, 0);
        assert.isFalse(yield* records.replace(done, "two"));
        assert.isTrue(yield* records.replace(done, "one"));
        assert.isFalse(yield* records.replace(record, "one"));
        assert.deepStrictEqual(yield* records.find(record.caller, record.key), Option.some(done));
      }),
    );

    it.effect("deletes up to `limit` records created before a time", () =>
      Effect.gen(function* () {
        const records = yield* CreationRecords;
        const some = yield* Effect.forEach([10, 20, 30], (createdAt) =>
          Effect.map(newRecord, (record) => ({ ...record, createdAt })),
        );
        for (const record of some) yield* records.take(record, 0);
        const isThere = Effect.forEach(some, ({ caller, key }) => Effect.map(records.find(caller, key), Option.isSome));
        assert.strictEqual(yield* records.forget(9, 100), 0);
        assert.strictEqual(yield* records.forget(20, 1), 1);
        assert.strictEqual(yield* records.forget(20, 100), 1);
        assert.deepStrictEqual(yield* isThere, [false, false, true]);
      }),
    );

    it.effect("gives a key to one of many concurrent requests, and erases the records of an account [S2.6-11]", () =>
      Effect.gen(function* () {
        const records = yield* CreationRecords;
        const [record, other, ofNone] = [yield* newRecord, yield* newRecord, yield* newRecord];
        const taken = yield* Effect.forEach(
          Array.from({ length: 8 }, () => ({ ...record, resource: uuid() })),
          (mine) => records.take(mine, 0),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(taken.filter(Boolean), 1);
        yield* records.take(other, 0);
        yield* records.take({ ...ofNone, account: null }, 0);
        yield* records.erase(record.account!);
        const isThere = ({ caller, key }: CreationRecord) => Effect.map(records.find(caller, key), Option.isSome);
        assert.deepStrictEqual(yield* Effect.forEach([record, other, ofNone], isThere), [false, true, true]);
      }),
    );
  });
