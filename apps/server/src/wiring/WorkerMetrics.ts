import { workers } from "@postern/core";
import { MetricsSources } from "@postern/http-api";
import { Clock, Effect, Layer, Metric } from "effect";

const seconds = Metric.gauge("claims_failing_seconds", { description: "How long every claim of a worker has failed" });

/**
 * The time for which every claim of each worker has failed, in milliseconds; 0 if the worker's last claim succeeded.
 */
export const claimsFailingFor: Effect.Effect<
  ReadonlyMap<string, number>,
  never,
  Effect.Services<typeof workers>
> = Effect.gen(function* () {
  const [all, now] = [yield* workers, yield* Clock.currentTimeMillis];
  return new Map(all.map(({ name, failingSince }) => [name, now - (failingSince?.() ?? now)] as const));
});

/** The failing claims of the workers, read on each request to `/metrics`. */
export const WorkerMetrics: Layer.Layer<never, never, Effect.Services<typeof workers>> = Layer.effect(
  MetricsSources,
  Effect.gen(function* () {
    const others = yield* MetricsSources;
    const context = yield* Effect.context<Effect.Services<typeof workers>>();
    const show = Effect.gen(function* () {
      for (const [worker, millis] of yield* Effect.provide(claimsFailingFor, context)) {
        yield* Metric.update(Metric.withAttributes(seconds, { worker }), millis / 1_000);
      }
    });
    return [...others, show];
  }),
);
