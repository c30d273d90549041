import { DeliveryQueue } from "@postern/core/webhooks";
import { MetricsSources } from "@postern/http-api";
import { Clock, Effect, Layer, Metric } from "effect";

const due = Metric.gauge("webhook_deliveries_due", { description: "Deliveries that are due and not sent yet" });

/** The backlog of the workers, read on each request to `/metrics`. */
export const WebhookMetrics = Layer.effect(
  MetricsSources,
  Effect.gen(function* () {
    const others = yield* MetricsSources;
    const { countBacklog: backlog } = yield* DeliveryQueue;
    const show = Effect.gen(function* () {
      yield* Metric.update(due, yield* backlog(yield* Clock.currentTimeMillis));
    });
    return [...others, Effect.ignore(show)];
  }),
);
