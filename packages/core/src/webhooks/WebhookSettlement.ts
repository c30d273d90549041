import { Context, Deferred, Effect, Layer, Metric, Option, Schedule } from "effect";
import { batchedWriter } from "../shared/neighbours.ts";
import { type StoreUnavailable, Transaction } from "../shared/index.ts";
import type { Attempt, Delivery } from "./Delivery.ts";
import { type DeliveryOutcome, isDelivered } from "./DeliveryOutcome.ts";
import { reapDelivery, settleDelivery } from "./delivery-state.ts";
import type { DisabledNotice, Endpoint } from "./Endpoint.ts";
import { disableExhausted } from "./endpoint-state.ts";
import { ownEvents, publishDisabled } from "./own-events.ts";
import { type ClaimedDelivery, DeliveryQueue, type SettledClaim } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { EndpointNotices } from "./EndpointNotices.ts";
import { WebhookSettings } from "./WebhookSettings.ts";

/** One POST with its outcome. */
export interface SentDelivery {
  readonly claimed: ClaimedDelivery;
  readonly token: string;
  readonly attempt: Attempt;
  readonly outcome: DeliveryOutcome;
  /** The end of the POST in epoch milliseconds; the ladder's waits start at this time. */
  readonly endedAt: number;
}

/** A delivery that failed finally, with the end of its last attempt or last lost claim (epoch milliseconds). */
interface Exhausted {
  readonly delivery: Delivery;
  readonly endedAt: number;
}

/** An outcome to write, and the signal to its worker that the outcome is written. */
interface Unwritten {
  readonly sent: SentDelivery;
  readonly written: Deferred.Deferred<void, StoreUnavailable>;
}

const BATCH_SIZE = 256;
/**
 * The number and interval of retries of writing an outcome. The claim is renewed before the write, and then lasts at
 * least six more seconds.
 */
const STORE_RETRIES = { times: 5, schedule: Schedule.spaced("1 second") };

/** Records the outcomes of deliveries, and disables endpoints when a ladder ends (spec 7.5). */
export class WebhookSettlement extends Context.Service<
  WebhookSettlement,
  {
    /** Records an outcome; resolves once the outcome is written. Concurrent calls share a transaction. */
    readonly settle: (sent: SentDelivery) => Effect.Effect<void, StoreUnavailable>;
    /** Reclaims deliveries whose lease expired. */
    readonly reap: (now: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/WebhookSettlement") {
  static readonly layer = Layer.effect(
    WebhookSettlement,
    Effect.gen(function* () {
      const { ladder } = yield* WebhookSettings;
      const queue = yield* DeliveryQueue;
      const endpoints = yield* Endpoints;
      const notices = yield* EndpointNotices;
      const events = yield* ownEvents;
      const transaction = yield* Transaction;
      yield* countFromZero;

      /** Disables the endpoints of exhausted deliveries. Only the first such delivery of the current generation disables its endpoint. */
      const disableFor = Effect.fnUntraced(function* (exhausted: ReadonlyArray<Exhausted>) {
        const byEndpoint = Map.groupBy(exhausted, ({ delivery }) => delivery.endpointId);
        const told = yield* endpoints.change([...byEndpoint.keys()], (endpoint) =>
          afterAll(endpoint, byEndpoint.get(endpoint.id) ?? []),
        );
        for (const notice of told.flat()) {
          yield* notices.notifyDisabled(notice);
          yield* publishDisabled(
            events,
            { id: notice.endpointId, owner: notice.owner },
            "exhausted",
            notice.disabledAt,
          );
        }
        yield* Metric.update(disabledEndpoints, told.flat().length);
      });

      const settleOurs = Effect.fnUntraced(function* (all: ReadonlyArray<SettledClaim & Exhausted>) {
        const kept = yield* queue.settle(all);
        const exhausted = all.filter(({ delivery }) => isExhausted(delivery) && kept.has(delivery.id));
        if (exhausted.length > 0) yield* disableFor(exhausted);
        return kept.size;
      });

      const settleAll = Effect.fnUntraced(function* (all: ReadonlyArray<SentDelivery>) {
        const settled = all.map(({ claimed: { delivery, endpoint }, token, attempt, outcome, endedAt }) => ({
          delivery: settleDelivery(delivery, endpoint, outcome, endedAt, ladder),
          token,
          attempt,
          endedAt,
        }));
        let kept = 0;
        for (const some of oncePerDelivery(settled)) {
          const settling = settleOurs(some);
          // The queue's own transaction is enough unless an endpoint may be disabled.
          kept += yield* some.some(({ delivery }) => isExhausted(delivery)) ? transaction.run(settling) : settling;
        }
        const lost = settled.length - kept;
        if (lost > 0)
          yield* Effect.logInfo(
            `${lost} webhook claims were taken over by another worker; their outcomes are discarded`,
          );
      });

      const write = yield* batchedWriter<Unwritten>({
        name: "webhook outcomes",
        maxAtOnce: BATCH_SIZE,
        maxWaiting: Infinity,
        write: Effect.fnUntraced(function* (batch) {
          const writing = Effect.retry(settleAll(batch.map(({ sent }) => sent)), STORE_RETRIES);
          const exit = yield* Effect.exit(writing);
          for (const [name, some] of Map.groupBy(batch, ({ sent }) => nameOf(sent.outcome))) {
            yield* Metric.update(attemptsOf(name), some.length);
          }
          for (const { written } of batch) Deferred.doneUnsafe(written, exit);
        }),
      });

      const settle = Effect.fnUntraced(function* (sent: SentDelivery) {
        const written = yield* Deferred.make<void, StoreUnavailable>();
        yield* write({ sent, written });
        yield* Deferred.await(written);
      });

      const reapExpired = Effect.fnUntraced(function* (now: number) {
        const reaped = yield* queue.reap(now, (lost) => reapDelivery(lost, now, ladder));
        const exhausted = reaped.filter(isExhausted);
        if (exhausted.length > 0) yield* disableFor(exhausted.map((delivery) => ({ delivery, endedAt: now })));
      }, transaction.run);

      const reap = Effect.fnUntraced(function* (now: number) {
        if (yield* queue.hasExpired(now)) yield* reapExpired(now);
      });

      return WebhookSettlement.of({ settle, reap });
    }),
  );
}

/**
 * Splits claims into parts in which each delivery occurs once. A worker that lost its claim and claimed the delivery
 * again may have two outcomes; only one of them counts.
 */
const oncePerDelivery = <A extends { readonly delivery: Delivery }>(
  all: ReadonlyArray<A>,
): ReadonlyArray<ReadonlyArray<A>> => {
  const parts: Array<Array<A>> = [];
  const times = new Map<string, number>();
  for (const one of all) {
    const time = times.get(one.delivery.id) ?? 0;
    times.set(one.delivery.id, time + 1);
    (parts[time] ??= []).push(one);
  }
  return parts;
};

const isExhausted = ({ state }: Delivery): boolean => state === "exhausted";

const afterAll = (
  before: Endpoint,
  all: ReadonlyArray<Exhausted>,
): readonly [ReadonlyArray<DisabledNotice>, Endpoint] => {
  const notices: Array<DisabledNotice> = [];
  let endpoint = before;
  for (const { delivery, endedAt } of all.toSorted((a, b) => a.endedAt - b.endedAt)) {
    const disabled = disableExhausted(endpoint, delivery, endedAt);
    if (Option.isNone(disabled)) continue;
    endpoint = disabled.value.endpoint;
    notices.push(disabled.value.notice);
  }
  return [notices, endpoint];
};

const disabledEndpoints = Metric.counter("endpoints_disabled_total", {
  description: "Webhook endpoints disabled because their deliveries failed",
  incremental: true,
});

const attempts = Metric.counter("webhook_attempts_total", {
  description: "POSTs to webhook endpoints by outcome",
  incremental: true,
});

const attemptsOf = (outcome: string) => Metric.withAttributes(attempts, { outcome });

/** Returns the label of an attempt in the metrics: `delivered`, `rejected` (a response other than 2xx), or the error code. */
const nameOf = (outcome: DeliveryOutcome): string =>
  isDelivered(outcome) ? "delivered" : (outcome.errorCode ?? "rejected");

/** Starts the counters at 0; if a counter first appears as 1, monitoring sees no increase. */
const countFromZero = Effect.andThen(
  Metric.update(disabledEndpoints, 0),
  Effect.forEach(["delivered", "rejected"], (outcome) => Metric.update(attemptsOf(outcome), 0), { discard: true }),
);
