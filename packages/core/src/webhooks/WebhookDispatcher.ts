import { Clock, Context, Effect, Layer, Option, Queue } from "effect";
import { Entropy } from "../shared/ports/Entropy.ts";
import { Transaction } from "../shared/ports/Transaction.ts";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import type { Attempt, Delivery } from "./Delivery.ts";
import type { DeliveryOutcome } from "./DeliveryOutcome.ts";
import { attemptOf, reapDelivery, settleDelivery } from "./delivery-state.ts";
import { disableExhausted, recordOutcome } from "./endpoint-state.ts";
import { type ClaimedDelivery, DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { Hmac } from "./ports/Hmac.ts";
import { OwnerNotices } from "./ports/OwnerNotices.ts";
import { WebhookSender } from "./ports/WebhookSender.ts";
import type { RetryLadder } from "./retry-ladder.ts";
import { signedHeaders } from "./signature.ts";

/** How long a claim lasts unless it is renewed: a node that died blocks an endpoint no longer than this. */
const LEASE_MILLIS = 15_000;
const RENEW_MILLIS = 5_000;
/** POSTs this process makes at a time. */
const MOST_AT_ONCE = 256;
/** How long the store is left alone after it failed. */
const AFTER_FAILURE = Effect.sleep("1 second");

/** Sends what is due to endpoints and writes down what came of it (seed 3, decisions 7). */
export class WebhookDispatcher extends Context.Service<
  WebhookDispatcher,
  {
    /** One pass: sends all that is due now, and what becomes so meanwhile; answers with the number of attempts. */
    readonly runDue: Effect.Effect<number, StoreUnavailable>;
    /** Passes without end, asleep between them until something is due. */
    readonly run: Effect.Effect<never>;
  }
>()("@postern/core/webhooks/WebhookDispatcher") {
  static readonly layer = (ladder: RetryLadder) =>
    Layer.effect(
      WebhookDispatcher,
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const endpoints = yield* Endpoints;
        const sender = yield* WebhookSender;
        const notices = yield* OwnerNotices;
        const transaction = yield* Transaction;
        const hmac = yield* Hmac;
        const entropy = yield* Entropy;
        const scope = yield* Effect.scope;
        const ended = yield* Queue.unbounded<void>();
        let running = 0;

        /** Only what exhausts the ladder of the present generation disables, and only the first of many. */
        const disableAfter = Effect.fnUntraced(function* (delivery: Delivery, now: number, outcome?: DeliveryOutcome) {
          const notice = yield* endpoints.change(delivery.endpointId, (endpoint) => {
            const recorded = outcome === undefined ? endpoint : recordOutcome(endpoint, outcome, now);
            return Option.match(disableExhausted(recorded, delivery, now), {
              onNone: () => [null, recorded],
              onSome: (disabled) => [disabled.notice, disabled.endpoint],
            });
          });
          if (Option.isSome(notice) && notice.value !== null) yield* notices.endpointDisabled(notice.value);
        });

        const settle = (claimed: ClaimedDelivery, token: string, attempt: Attempt, outcome: DeliveryOutcome) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis;
            const settled = settleDelivery(claimed.delivery, claimed.endpoint, outcome, now, ladder);
            if (yield* queue.settle(settled, token, attempt)) return yield* disableAfter(settled, now, outcome);
            yield* Effect.logInfo("a webhook's claim was taken over; its outcome is dropped", { id: settled.id });
          }).pipe(transaction.run);

        /** Comes back only when the claim is lost. */
        const holdOn = Effect.fnUntraced(function* (id: string, token: string) {
          do yield* Effect.sleep(RENEW_MILLIS);
          while (yield* queue.renew(id, token, (yield* Clock.currentTimeMillis) + LEASE_MILLIS));
        });

        const attempt = Effect.fn("WebhookDispatcher.attempt")(function* (claimed: ClaimedDelivery, token: string) {
          const { delivery, endpoint, event } = claimed;
          const secrets = yield* endpoints.secrets(endpoint.id);
          if (Option.isNone(secrets)) return;
          const startedAt = yield* Clock.currentTimeMillis;
          const headers = signedHeaders({ ...event, attempt: claimed.attempt }, secrets.value, hmac, startedAt);
          const post = { endpointId: endpoint.id, url: endpoint.url, headers, body: event.body };
          const sent = yield* Effect.raceFirst(
            Effect.asSome(sender.send(post)),
            Effect.as(holdOn(delivery.id, token), Option.none<DeliveryOutcome>()),
          );
          if (Option.isNone(sent)) return;
          yield* settle(claimed, token, attemptOf(delivery, claimed.attempt, startedAt, sent.value), sent.value);
        });

        const reap = Effect.fnUntraced(function* (now: number) {
          const reaped = yield* queue.reap(now, (lost) => reapDelivery(lost, now, ladder));
          for (const delivery of reaped) if (delivery.state === "exhausted") yield* disableAfter(delivery, now);
        }, transaction.run);

        const pass = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis;
          yield* reap(now);
          const token = yield* entropy.id(128);
          const claimed = yield* queue.claim(now, { token, millis: LEASE_MILLIS }, MOST_AT_ONCE - running);
          for (const one of claimed) {
            running++;
            const end = Effect.sync(() => {
              running--;
              Queue.offerUnsafe(ended, undefined);
            });
            // What the store could not take is reaped later.
            const attempted = Effect.ignore(Effect.tapError(attempt(one, token), Effect.logWarning));
            yield* Effect.forkIn(Effect.ensuring(Effect.interruptible(attempted), end), scope);
          }
          return claimed.length;
        }).pipe(Effect.uninterruptible);

        const runDue = Effect.gen(function* () {
          let attempts = 0;
          for (;;) {
            const claimed = yield* pass;
            attempts += claimed;
            if (claimed === 0 && running === 0) return attempts;
            if (claimed === 0) yield* Queue.take(ended);
          }
        });

        const untilDue = Effect.gen(function* () {
          const due = yield* queue.nextDue;
          const now = yield* Clock.currentTimeMillis;
          const sleep = Option.isNone(due) ? Effect.never : Effect.sleep(Math.max(1, due.value - now));
          yield* Effect.raceAllFirst([sleep, queue.changed, Queue.take(ended)]);
        });
        const run = Effect.forever(
          Effect.catch(
            Effect.flatMap(pass, (claimed) => (claimed > 0 ? Effect.void : untilDue)),
            (error) => Effect.andThen(Effect.logWarning("the deliveries cannot be read", error), AFTER_FAILURE),
          ),
        );

        return WebhookDispatcher.of({ runDue, run });
      }),
    );
}
