import { assert, layer } from "@effect/vitest";
import { type AccountId, Transaction } from "@postern/core/shared";
import { type Upload, UploadRecords } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { errorOf } from "../error-of.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;
const ALL = 1_000_000;

/** The contract of `UploadRecords` (spec 6). */
export const uploadRecordsContract = (name: string, live: Layer.Layer<UploadRecords | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    const begun = (account: AccountId, createdAt = 1_000) =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const upload = { id: `up_${uuid()}`, account, name: 'nötes "✓".txt', type: "text/plain", createdAt };
        yield* records.begin(upload);
        return upload;
      });
    const uploaded = (account: AccountId, createdAt = 1_000) =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const upload: Upload = { ...(yield* begun(account, createdAt)), size: 26_214_400 };
        assert.isTrue(yield* records.complete(upload.id, upload.size));
        return upload;
      });
    /** Retires uploads, and returns which of these ids are among them; other ids belong to other tests. */
    const retired = (expired: number, abandoned: number, ids: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const all = yield* (yield* UploadRecords).retire(expired, abandoned, ALL);
        return ids.map((id) => all.includes(id));
      });

    it.effect("finds an upload once it is complete, only for its account", () =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const account = yield* freshAccount;
        const upload = yield* begun(account);
        assert.deepStrictEqual(yield* records.find(account, upload.id), Option.none());
        assert.isTrue(yield* records.complete(upload.id, 0));
        assert.deepStrictEqual(
          yield* records.find(account, upload.id),
          Option.some({ ...upload, size: 0, isPinned: false }),
        );
        assert.isFalse(yield* records.complete(upload.id, 1));
        const big = yield* uploaded(account);
        assert.deepStrictEqual(yield* records.find(account, big.id), Option.some({ ...big, isPinned: false }));
        assert.deepStrictEqual(yield* records.find(yield* freshAccount, big.id), Option.none());
        for (const id of ["nothing", "", "a\0b", "../x"]) {
          assert.deepStrictEqual(yield* records.find(account, id), Option.none());
        }
      }),
    );

    it.effect("retires expired and abandoned uploads, and returns them until they are removed", () =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const account = yield* freshAccount;
        const [old, young] = [yield* uploaded(account, 1_000), yield* uploaded(account, 2_000)];
        const [stuck, coming] = [yield* begun(account, 3_000), yield* begun(account, 4_000)];
        const ids = [old.id, young.id, stuck.id, coming.id];
        assert.deepStrictEqual(yield* retired(1_000, 3_000, ids), [false, false, false, false]);
        assert.deepStrictEqual(yield* retired(1_001, 3_001, ids), [true, false, true, false]);
        assert.deepStrictEqual(yield* retired(0, 0, ids), [true, false, true, false]);
        assert.deepStrictEqual(yield* records.find(account, old.id), Option.none());
        assert.isFalse(yield* records.complete(stuck.id, 5));
        assert.isTrue(yield* records.complete(coming.id, 5));
        yield* records.remove([old.id, stuck.id]);
        assert.deepStrictEqual(yield* retired(0, 0, ids), [false, false, false, false]);
        assert.lengthOf(yield* records.retire(ALL, ALL, 1), 1);
      }),
    );

    it.effect("keeps a pinned upload, however old, until the last message releases it [S6.1-2] [S12.1-16]", () =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const account = yield* freshAccount;
        const { id } = yield* uploaded(account);
        const [one, other] = [`out_${uuid()}`, `out_${uuid()}`];
        assert.isTrue(yield* records.pin(account, [id, id], one));
        assert.isTrue(yield* records.pin(account, [id], other));
        yield* records.unpin([one]);
        assert.deepStrictEqual(yield* retired(ALL, ALL, [id]), [false]);
        assert.isTrue(Option.exists(yield* records.find(account, id), ({ isPinned }) => isPinned));
        yield* records.unpin([other]);
        assert.deepStrictEqual(yield* retired(ALL, ALL, [id]), [true]);
      }),
    );

    it.effect("pins all or none: no foreign, incomplete, retired or unknown upload, and none after a rollback", () =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const { run } = yield* Transaction;
        const account = yield* freshAccount;
        const mine = yield* uploaded(account);
        const foreign = yield* uploaded(yield* freshAccount);
        const coming = yield* begun(account);
        const message = `out_${uuid()}`;
        for (const id of [foreign.id, coming.id, "up_unknown"]) {
          const pinned = run(
            Effect.flatMap(records.pin(account, [mine.id, id], message), (all) =>
              all ? Effect.void : Effect.fail("not there" as const),
            ),
          );
          assert.strictEqual(yield* errorOf(pinned), "not there");
        }
        yield* Effect.exit(run(Effect.andThen(records.pin(account, [mine.id], message), Effect.fail("undone"))));
        assert.deepStrictEqual(yield* retired(ALL, 0, [mine.id]), [true]);
        assert.isFalse(yield* records.pin(account, [mine.id], message));
      }),
    );

    it.effect("never retires an upload that is pinned concurrently", () =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const { run } = yield* Transaction;
        const account = yield* freshAccount;
        for (let trial = 0; trial < 10; trial++) {
          const { id } = yield* uploaded(account);
          const [pinned] = yield* Effect.all(
            [run(records.pin(account, [id], `out_${uuid()}`)), records.retire(ALL, 0, ALL)],
            { concurrency: "unbounded" },
          );
          assert.strictEqual(Option.isSome(yield* records.find(account, id)), pinned);
          assert.deepStrictEqual(yield* retired(ALL, 0, [id]), [!pinned]);
        }
      }),
    );

    it.effect("retires all uploads of a removed account, pinned or not, and no others", () =>
      Effect.gen(function* () {
        const records = yield* UploadRecords;
        const account = yield* freshAccount;
        const [free, held, coming] = [yield* uploaded(account), yield* uploaded(account), yield* begun(account)];
        const foreign = yield* uploaded(yield* freshAccount);
        yield* records.pin(account, [held.id], `out_${uuid()}`);
        yield* records.erase(account);
        const ids = [free.id, held.id, coming.id, foreign.id];
        assert.deepStrictEqual(yield* retired(0, 0, ids), [true, true, true, false]);
        yield* records.remove(ids.slice(0, 3));
        assert.deepStrictEqual(yield* retired(0, 0, ids), [false, false, false, false]);
      }),
    );
  });
