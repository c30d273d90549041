import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { CreationRecords, Creations } from "../../src/creations/index.ts";
import { creations } from "../../src/creations/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";

const NOW = 1_900_000_000_000;

it.effect("old keys are forgotten in slices of fifty, until a slice is not full", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const asked: Array<unknown> = [];
    let left = 120;
    const forgetOld = (now: number, limit: number) =>
      Effect.sync(() => {
        const forgotten = Math.min(limit, left);
        left -= forgotten;
        asked.push([now, limit]);
        return forgotten;
      });
    const sweeps = yield* Effect.provide(creations.sweeps, Layer.mock(Creations, { forgetOld }));
    for (const sweep of sweeps) yield* sweep;
    assert.deepStrictEqual([left, asked], [0, Array(3).fill([NOW, 50])]);
  }),
);

it.effect("keys are erased with their account", () =>
  Effect.gen(function* () {
    const erased: Array<string> = [];
    const records = Layer.mock(CreationRecords, { erase: (account) => Effect.sync(() => void erased.push(account)) });
    const { erase } = yield* Effect.provide(creations.data, records);
    yield* erase!(AccountId("me@x.test"));
    assert.deepStrictEqual(erased, ["me@x.test"]);
  }),
);
