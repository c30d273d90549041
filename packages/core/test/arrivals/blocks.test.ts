import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { Blocks } from "../../src/arrivals/index.ts";
import { Transaction } from "../../src/shared/index.ts";
import { SenderBlocks, type SenderBlock } from "../../src/watch/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { numberedIds } from "../doubles.ts";
import { ME, NOW } from "./inbox-in-memory.ts";

/** The blocks of an account, which may have no room for another one, and the calls of its ports. */
const blocksWith = (known: ReadonlyArray<SenderBlock>, isFull = false) => {
  const log: Array<unknown> = [];
  const layer = Blocks.layer.pipe(
    Layer.provide([
      Layer.mock(SenderBlocks, {
        list: () => Effect.succeed(known),
        insert: (block, most) =>
          Effect.sync(() => (log.push([block, most]), isFull ? Option.none() : Option.some(block))),
        remove: (_, id) => Effect.sync(() => known.some((one) => one.id === id)),
      }),
      Layer.succeed(WatchStarter, {
        begin: (account) => Effect.sync(() => void log.push(`watch ${account}`)),
        resume: (account) => Effect.sync(() => void log.push(`stay with ${account}`)),
      }),
      numberedIds,
      Layer.succeed(Transaction, {
        run: (effect) =>
          Effect.tap(
            Effect.andThen(
              Effect.sync(() => log.push("begin")),
              effect,
            ),
            () => Effect.sync(() => log.push("commit")),
          ),
      }),
    ]),
  );
  const use = <A, E>(use: (blocks: Blocks["Service"]) => Effect.Effect<A, E>) =>
    Effect.andThen(TestClock.setTime(NOW), Effect.flatMap(Blocks, use)).pipe(Effect.provide(layer));
  return { log, use };
};
const block = (id: string, createdAt: number): SenderBlock => ({ id, account: ME, address: `${id}@y.test`, createdAt });

describe("the blocked senders of an account", () => {
  it.effect("are added after the account is watched, 1000 at most [S5.9-1]", () =>
    Effect.gen(function* () {
      const { log, use } = blocksWith([]);
      const added = yield* use((blocks) => blocks.add(ME, "a@y.test"));
      expect(added).toEqual({
        id: expect.stringMatching(/^blk_id1/),
        account: ME,
        address: "a@y.test",
        createdAt: NOW,
      });
      // The watch may have ended before the transaction.
      expect(log).toEqual([`watch ${ME}`, "begin", `stay with ${ME}`, [added, 1_000], "commit"]);
      const full = blocksWith([], true);
      expect(yield* Effect.flip(full.use((blocks) => blocks.add(ME, "a@y.test")))).toMatchObject({
        _tag: "TooManyBlocks",
      });
      const wrong = blocksWith([]);
      expect(yield* Effect.flip(wrong.use((blocks) => blocks.add(ME, "a")))).toMatchObject({ _tag: "InputInvalid" });
      expect(wrong.log).toEqual([]);
    }),
  );

  it.effect("are removed by their ids", () =>
    Effect.gen(function* () {
      const { use } = blocksWith([block("blk_1", 1)]);
      yield* use((blocks) => blocks.remove(ME, "blk_1"));
      expect(yield* Effect.flip(use((blocks) => blocks.remove(ME, "blk_2")))).toMatchObject({ _tag: "BlockNotFound" });
      const long = "x".repeat(4_000);
      expect(yield* Effect.flip(use((blocks) => blocks.remove(ME, long)))).toMatchObject({ _tag: "InputInvalid" });
    }),
  );

  it.effect("are listed in pages, the oldest first", () =>
    Effect.gen(function* () {
      const all = [block("blk_1", 1), block("blk_2", 2), block("blk_3", 2)];
      const { use } = blocksWith(all);
      const first = yield* use((blocks) => blocks.page(ME, { limit: 2 }));
      expect(first.items).toEqual(all.slice(0, 2));
      const rest = yield* use((blocks) => blocks.page(ME, { limit: 2, cursor: first.nextCursor! }));
      expect(rest).toEqual({ items: all.slice(2), nextCursor: null });
    }),
  );
});
