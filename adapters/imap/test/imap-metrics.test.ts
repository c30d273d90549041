import { assert, it } from "@effect/vitest";
import { Effect, Metric } from "effect";
import { countConnection } from "../src/connection/imap-metrics.ts";

it.effect("counts connections per service, not per process", () =>
  Effect.gen(function* () {
    const kept = new Map();
    const counted = Effect.gen(function* () {
      const closed = yield* countConnection;
      const gauge = (yield* Metric.snapshot).find(({ id }) => id === "imap_connections");
      return { closed, state: gauge?.state };
    });
    const here = Effect.provideService(counted, Metric.MetricRegistry, kept);
    const elsewhere = Effect.provideService(counted, Metric.MetricRegistry, new Map());
    assert.deepStrictEqual((yield* elsewhere).state, { value: 1 });
    const first = yield* here;
    assert.deepStrictEqual(first.state, { value: 1 });
    assert.deepStrictEqual((yield* here).state, { value: 2 });
    first.closed();
    assert.deepStrictEqual((yield* here).state, { value: 2 });
  }),
);
