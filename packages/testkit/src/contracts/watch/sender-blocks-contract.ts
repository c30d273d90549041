import { assert, layer } from "@effect/vitest";
import { type SenderBlock, SenderBlocks } from "@postern/core/watch";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const blockOf = (account: SenderBlock["account"], address: string, createdAt: number): SenderBlock => ({
  id: `blk_${globalThis.crypto.randomUUID()}`,
  account,
  address,
  createdAt,
});

/** More blocks than any account of the contract has. */
const MANY = 10;

/** The contract of `SenderBlocks` (spec 5.9). */
export const senderBlocksContract = (name: string, live: Layer.Layer<SenderBlocks, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("stores the blocks of an account, oldest first, and each address once in any spelling", () =>
      Effect.gen(function* () {
        const blocks = yield* SenderBlocks;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const [late, early] = [blockOf(account, "b@x.test", 2), blockOf(account, "A@x.test", 1)];
        for (const block of [late, early, blockOf(other, "a@x.test", 0)]) {
          assert.deepStrictEqual(yield* blocks.insert(block, MANY), Option.some(block));
        }
        assert.deepStrictEqual(yield* blocks.insert(blockOf(account, "a@X.test", 3), 2), Option.some(early));
        assert.deepStrictEqual(yield* blocks.list(account), [early, late]);
      }),
    );

    it.effect("stores no more blocks of an account than its limit, also of several at once [S5.9-1]", () =>
      Effect.gen(function* () {
        const blocks = yield* SenderBlocks;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const at = (address: string) => blocks.insert(blockOf(account, address, 1), 2);
        const some = Array.from({ length: 20 }, (_, n) => at(`${n}@x.test`));
        const made = yield* Effect.all(some, { concurrency: "unbounded" });
        assert.strictEqual(made.filter(Option.isSome).length, 2);
        assert.strictEqual((yield* blocks.list(account)).length, 2);
        assert.isTrue(Option.isSome(yield* blocks.insert(blockOf(other, "a@x.test", 1), 1)));
        yield* blocks.remove(account, (yield* blocks.list(account))[0]!.id);
        assert.isTrue(Option.isSome(yield* at("e@x.test")));
        assert.isTrue(Option.isNone(yield* at("f@x.test")));
      }),
    );

    it.effect("finds the blocked ones of many addresses, of this account alone", () =>
      Effect.gen(function* () {
        const blocks = yield* SenderBlocks;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        yield* blocks.insert(blockOf(account, "Pest@x.test", 1), MANY);
        yield* blocks.insert(blockOf(other, "ann@x.test", 1), MANY);
        const found = yield* blocks.findBlocked(account, ["ann@x.test", "pest@x.test", "", "a\0@x.test"]);
        assert.deepStrictEqual([...found], ["pest@x.test"]);
        assert.strictEqual((yield* blocks.findBlocked(account, [])).size, 0);
      }),
    );

    it.effect("deletes a block of its account, and erases all of an account", () =>
      Effect.gen(function* () {
        const blocks = yield* SenderBlocks;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const [block, kept] = [blockOf(account, "a@x.test", 1), blockOf(other, "a@x.test", 1)];
        yield* blocks.insert(block, MANY);
        yield* blocks.insert(kept, MANY);
        assert.isFalse(yield* blocks.remove(other, block.id));
        assert.isTrue(yield* blocks.remove(account, block.id));
        assert.isFalse(yield* blocks.remove(account, block.id));
        assert.isFalse(yield* blocks.remove(account, "a\0"));
        yield* blocks.insert(block, MANY);
        yield* blocks.erase(account);
        assert.deepStrictEqual(yield* blocks.list(account), []);
        assert.deepStrictEqual(yield* blocks.list(other), [kept]);
      }),
    );
  });
