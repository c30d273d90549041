import { DeliveryQueue, WebhookDispatcher } from "@postern/core";
import { MetricsSources } from "@postern/http-api";
import { Clock, Effect, Layer, Metric } from "effect";

/** The longest a POST may take to its end once the service stops; what does not is sent by another, or later. */
const DRAIN = "16 seconds";

/** Brings events to endpoints for as long as the service runs (decisions 8). */
export const WebhookWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const dispatcher = yield* WebhookDispatcher;
    yield* Effect.addFinalizer(() => dispatcher.drain(DRAIN));
    yield* Effect.forkScoped(dispatcher.run);
  }),
);

const due = Metric.gauge("webhook_deliveries_due", { description: "Deliveries that are due and not sent yet" });

/** How far behind the workers are, when somebody looks at `/metrics`. */
export const WebhookMetrics = Layer.effect(
  MetricsSources,
  Effect.gen(function* () {
    const others = yield* MetricsSources;
    const { backlog } = yield* DeliveryQueue;
    const show = Effect.gen(function* () {
      yield* Metric.update(due, yield* backlog(yield* Clock.currentTimeMillis));
    });
    return [...others, Effect.ignore(show)];
  }),
);
