import { AccountDirectory } from "@postern/core/accounts";
import { MetricsSources } from "@postern/http-api";
import { Effect, Layer, Metric } from "effect";

const accounts = Metric.gauge("accounts", { description: "Accounts by their state, the same in every process" });

/** The accounts by state, counted on each request to `/metrics`. */
export const AccountMetrics = Layer.effect(
  MetricsSources,
  Effect.gen(function* () {
    const others = yield* MetricsSources;
    const { countByState } = yield* AccountDirectory;
    const show = Effect.gen(function* () {
      for (const [state, count] of Object.entries(yield* countByState)) {
        yield* Metric.update(Metric.withAttributes(accounts, { state }), count);
      }
    });
    return [...others, Effect.ignore(show)];
  }),
);
