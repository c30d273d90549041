import { OutgoingJournal } from "@postern/core/send";
import { MetricsSources } from "@postern/http-api";
import { Clock, Effect, Layer, Metric } from "effect";

const messages = Metric.gauge("outbox_messages", {
  description: "Outgoing messages that wait or are being sent, by their state, the same in every process",
});
const oldest = Metric.gauge("outbox_oldest_seconds", {
  description: "Age of the oldest queued message since its request, the same in every process",
});

/** The unfinished messages, counted on each request to `/metrics`. */
export const OutboxMetrics = Layer.effect(
  MetricsSources,
  Effect.gen(function* () {
    const others = yield* MetricsSources;
    const { backlog } = yield* OutgoingJournal;
    const show = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis;
      const { counts, oldestAt } = yield* backlog(now);
      for (const [state, count] of Object.entries(counts)) {
        yield* Metric.update(Metric.withAttributes(messages, { state }), count);
      }
      yield* Metric.update(oldest, oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000);
    });
    return [...others, Effect.ignore(show)];
  }),
);
