import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { repeatSweeps } from "../src/wiring/housekeeping.ts";

it.effect("sweeps at start and once an hour, even while another sweep waits", () =>
  Effect.gen(function* () {
    const runs = { failing: 0, waiting: 0, quick: 0 };
    yield* repeatSweeps([
      Effect.andThen(
        Effect.sync(() => runs.failing++),
        Effect.fail("no"),
      ),
      Effect.andThen(
        Effect.sync(() => runs.waiting++),
        Effect.never,
      ),
      Effect.asVoid(Effect.sync(() => runs.quick++)),
    ]);
    yield* TestClock.adjust("59 minutes");
    assert.deepStrictEqual(runs, { failing: 1, waiting: 1, quick: 1 });
    yield* TestClock.adjust("1 minute");
    assert.deepStrictEqual(runs, { failing: 2, waiting: 1, quick: 2 });
  }).pipe(Effect.scoped),
);
