import { assert, it } from "@effect/vitest";
import { type CreationKey, CreationRecords, Creations } from "@postern/core/creations";
import { adaptersInMemory } from "@postern/harness";
import { Context, Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";

const KEY: CreationKey = { caller: "a caller", key: "a key", account: null };
const REQUEST = { operation: "create", request: {} };

describe("two requests with one key", () => {
  it.effect("do not create it twice when the first fails after the second found the key unused", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour");
      const context = yield* Layer.build(adaptersInMemory);
      const records = Context.get(context, CreationRecords);
      const creationsOver = (store: CreationRecords["Service"]) =>
        Effect.map(
          Layer.build(
            Layer.provide(Creations.layer, Layer.succeedContext(Context.add(context, CreationRecords, store))),
          ),
          Context.get(Creations),
        );
      const begun: Array<string> = [];
      const request = (creations: Creations["Service"], resource: string, fails: boolean) =>
        creations.once(
          KEY,
          REQUEST,
          ({ begin, complete }) =>
            Effect.gen(function* () {
              yield* begin(resource);
              begun.push(resource);
              if (fails) return yield* Effect.fail("cut off" as const);
              yield* complete(resource);
              return resource;
            }),
          (found, { complete }) => Effect.as(complete(found), Option.some(found)),
        );
      const first = yield* creationsOver(records);
      let isOver = false;
      const second = yield* creationsOver({
        ...records,
        find: (caller, key) =>
          Effect.tap(records.find(caller, key), () =>
            isOver
              ? Effect.void
              : Effect.suspend(() => ((isOver = true), Effect.ignore(request(first, "first", true)))),
          ),
      });
      const refused = yield* Effect.flip(request(second, "second", false));
      assert.strictEqual(refused === "cut off" ? refused : refused._tag, "CreationInProgress");
      assert.strictEqual(yield* request(second, "third", false), "first");
      assert.deepStrictEqual(begun, ["first"]);
    }),
  );
});
