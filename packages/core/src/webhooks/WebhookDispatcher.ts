import { Clock, Context, type Duration, Effect, Fiber, Layer, Option, Queue } from "effect";
import { Entropy, type StoreUnavailable } from "../shared/index.ts";
import { attemptOf } from "./delivery-state.ts";
import { type ClaimedDelivery, DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { Hmac } from "./ports/Hmac.ts";
import { WebhookSender } from "./ports/WebhookSender.ts";
import { headersSignedBy } from "./signature.ts";
import type { SigningSecrets } from "./signing-secrets.ts";
import { WebhookSettlement } from "./WebhookSettlement.ts";

/** A claim whose POST is being made or written down. */
interface OnItsWay {
  readonly token: string;
  readonly fiber: Fiber.Fiber<void>;
  leaseUntil: number;
}

/** How long a claim lasts unless it is renewed: a node that died blocks an endpoint no longer than this. */
const LEASE_MILLIS = 8_000;
const RENEW_MILLIS = 2_000;
/** POSTs this process makes at a time: more than 150 endpoints that hang can hold. */
const MOST_AT_ONCE = 1024;
/** After a claim of fewer there is seldom more to claim at once: the store is asked when there will be. */
const FULL_CLAIM = 100;
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
    /** Claims nothing more, lets what is on its way come to its end, and gives back what does not in time. */
    readonly drain: (within: Duration.Input) => Effect.Effect<void>;
  }
>()("@postern/core/webhooks/WebhookDispatcher") {
  static readonly layer = Layer.effect(
    WebhookDispatcher,
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue;
      const endpoints = yield* Endpoints;
      const sender = yield* WebhookSender;
      const settlement = yield* WebhookSettlement;
      const headersOf = headersSignedBy(yield* Hmac);
      const entropy = yield* Entropy;
      const scope = yield* Effect.scope;
      const ended = yield* Queue.sliding<void>(1);
      const onTheirWay = new Map<string, OnItsWay>();
      let draining = false;
      let renewing = false;

      /** Ends the POSTs whose claim is lost. While the store is away a claim is held until its lease is over. */
      const renewAll = Effect.gen(function* () {
        for (const [token, those] of Map.groupBy(onTheirWay, ([, { token }]) => token)) {
          const now = yield* Clock.currentTimeMillis;
          const leaseUntil = now + LEASE_MILLIS;
          const ids = those.map(([id]) => id);
          const held = yield* Effect.option(queue.renew(ids, token, leaseUntil));
          for (const [id, claim] of those) {
            if (Option.exists(held, (all) => all.has(id))) claim.leaseUntil = leaseUntil;
            else if (Option.isSome(held) || claim.leaseUntil <= now) yield* Fiber.interrupt(claim.fiber);
          }
        }
      });
      const holdOn = Effect.gen(function* () {
        for (;;) {
          yield* Effect.sleep(RENEW_MILLIS);
          if (onTheirWay.size === 0) return void (renewing = false);
          yield* renewAll;
        }
      });

      const attempt = Effect.fnUntraced(function* (
        claimed: ClaimedDelivery,
        token: string,
        secrets: SigningSecrets | undefined,
      ) {
        const { delivery, endpoint, event } = claimed;
        // Its endpoint was deleted.
        if (secrets === undefined) return;
        const startedAt = yield* Clock.currentTimeMillis;
        const headers = headersOf({ ...event, attempt: claimed.attempt }, secrets, startedAt);
        const outcome = yield* sender.send({ endpointId: endpoint.id, url: endpoint.url, headers, body: event.body });
        const made = attemptOf(delivery, claimed.attempt, startedAt, outcome);
        yield* settlement.settle({ claimed, token, attempt: made, outcome, endedAt: startedAt + outcome.ms });
        yield* Effect.logInfo("webhook attempted", {
          id: delivery.id,
          endpoint: endpoint.id,
          event: event.type,
          attempt: claimed.attempt,
          status: outcome.status,
          reason: outcome.errorCode,
          ms: outcome.ms,
        });
      });

      const start = Effect.fnUntraced(function* (
        claimed: ClaimedDelivery,
        token: string,
        secrets: SigningSecrets | undefined,
        leaseUntil: number,
      ) {
        const { id } = claimed.delivery;
        const end = Effect.sync(() => {
          onTheirWay.delete(id);
          Queue.offerUnsafe(ended, undefined);
        });
        // What the store could not take is reaped later.
        const attempted = Effect.ignore(Effect.tapError(attempt(claimed, token, secrets), Effect.logWarning));
        const fiber = yield* attempted.pipe(Effect.interruptible, Effect.ensuring(end), Effect.forkIn(scope));
        // It begins when this fiber lets go, not before.
        onTheirWay.set(id, { token, fiber, leaseUntil });
      });

      const pass = Effect.gen(function* () {
        const room = draining ? 0 : MOST_AT_ONCE - onTheirWay.size;
        const now = yield* Clock.currentTimeMillis;
        yield* settlement.reap(now);
        if (room === 0) return 0;
        const token = yield* entropy.id(128);
        const claimed = yield* queue.claim(now, { token, millis: LEASE_MILLIS }, room);
        if (claimed.length === 0) return 0;
        const secrets = yield* endpoints.secrets([...new Set(claimed.map(({ endpoint }) => endpoint.id))]);
        for (const one of claimed) yield* start(one, token, secrets.get(one.endpoint.id), now + LEASE_MILLIS);
        if (!renewing) {
          renewing = true;
          yield* Effect.forkIn(Effect.interruptible(holdOn), scope);
        }
        return claimed.length;
      }).pipe(Effect.uninterruptible);

      const runDue = Effect.gen(function* () {
        let attempts = 0;
        for (;;) {
          // What ends during a pass may make room that the pass did not see.
          const wasIdle = onTheirWay.size === 0;
          const claimed = yield* pass;
          attempts += claimed;
          if (claimed === 0 && wasIdle) return attempts;
          if (claimed === 0 && onTheirWay.size > 0) yield* Queue.take(ended);
        }
      });

      const untilDue = Effect.gen(function* () {
        if (draining) return yield* Effect.never;
        if (onTheirWay.size >= MOST_AT_ONCE) return yield* Queue.take(ended);
        const due = yield* queue.nextDue;
        const now = yield* Clock.currentTimeMillis;
        const sleep = Option.isNone(due) ? Effect.never : Effect.sleep(Math.max(1, due.value - now));
        yield* Effect.raceFirst(sleep, queue.changed);
      });
      const run = Effect.forever(
        Effect.catchCause(
          Effect.flatMap(pass, (claimed) => (claimed >= FULL_CLAIM ? Effect.void : untilDue)),
          (cause) => Effect.andThen(Effect.logWarning("the deliveries cannot be read", cause), AFTER_FAILURE),
        ),
      );

      const allEnded = Effect.gen(function* () {
        while (onTheirWay.size > 0) yield* Queue.take(ended);
      });
      const drain = Effect.fn("WebhookDispatcher.drain")(function* (within: Duration.Input) {
        draining = true;
        yield* Effect.timeoutOption(allEnded, within);
        const left = [...onTheirWay];
        yield* Fiber.interruptAll(left.map(([, { fiber }]) => fiber));
        const byToken = Map.groupBy(left, ([, { token }]) => token);
        for (const [token, those] of byToken) {
          yield* Effect.ignore(
            queue.release(
              those.map(([id]) => id),
              token,
            ),
          );
        }
      });

      return WebhookDispatcher.of({ runDue, run, drain });
    }),
  );
}
