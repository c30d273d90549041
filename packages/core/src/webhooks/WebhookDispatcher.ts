import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { type HeldLease, endUnlessHeld, leasedWorker, type Worker } from "../shared/neighbours.ts";
import { type Lease } from "../shared/index.ts";
import { UNSIGNED } from "./DeliveryOutcome.ts";
import { attemptOf } from "./delivery-state.ts";
import { type ClaimedDelivery, DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { Hmac } from "./ports/Hmac.ts";
import { WebhookSender } from "./ports/WebhookSender.ts";
import { headerSigner } from "./signature.ts";
import type { SigningSecrets } from "./signing-secrets.ts";
import { WebhookSettlement } from "./WebhookSettlement.ts";

/** The lease of a delivery. If a node dies, it blocks an endpoint for at most this long. */
const LEASE = Duration.seconds(8);
const RENEW_EVERY = Duration.seconds(2);
/**
 * The maximum number of concurrent POSTs of this process. 150 unresponsive endpoints cannot occupy all of these slots.
 */
const MAX_AT_ONCE = 1024;

/** A claimed delivery with its signing secrets. `secrets` is undefined if the endpoint was deleted, and none if they cannot be decrypted. */
interface SignedClaim {
  readonly claimed: ClaimedDelivery;
  readonly secrets: Option.Option<SigningSecrets> | undefined;
}

/** Sends due deliveries to their endpoints and records each attempt (spec 7.5). */
export class WebhookDispatcher extends Context.Service<WebhookDispatcher, Worker>()(
  "@postern/core/webhooks/WebhookDispatcher",
) {
  static readonly layer = Layer.effect(
    WebhookDispatcher,
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue;
      const endpoints = yield* Endpoints;
      const sender = yield* WebhookSender;
      const settlement = yield* WebhookSettlement;
      const headersOf = headerSigner(yield* Hmac);

      const claimWithSecrets = Effect.fnUntraced(function* (now: number, lease: Lease, limit: number) {
        const all = yield* queue.claim(now, lease, limit);
        if (all.length === 0) return [];
        const secrets = yield* endpoints.secrets([...new Set(all.map(({ endpoint }) => endpoint.id))]);
        return all.map((claimed) => ({ claimed, secrets: secrets.get(claimed.endpoint.id) }));
      });

      const attempt = Effect.fnUntraced(function* ({ claimed, secrets }: SignedClaim, held: HeldLease) {
        const { delivery, endpoint, event } = claimed;
        if (secrets === undefined) return;
        yield* endUnlessHeld(held);
        const startedAt = yield* Clock.currentTimeMillis;
        const headers = Option.map(secrets, (known) =>
          headersOf({ ...event, attempt: claimed.attempt }, known, startedAt),
        );
        const outcome = yield* Option.match(headers, {
          onNone: () => Effect.succeed(UNSIGNED),
          onSome: (signed) =>
            sender.send({ endpointId: endpoint.id, url: endpoint.url, headers: signed, body: event.body }),
        });
        const made = attemptOf(delivery, claimed.attempt, startedAt, outcome, Option.getOrNull(headers));
        yield* settlement.settle({
          claimed,
          token: held.token,
          attempt: made,
          outcome,
          endedAt: startedAt + outcome.ms,
        });
        yield* Effect.logInfo("webhook attempted", {
          id: delivery.id,
          endpoint: endpoint.id,
          event: event.type,
          eventId: event.id,
          attempt: claimed.attempt,
          status: outcome.status,
          reason: outcome.errorCode,
          ms: outcome.ms,
        });
      });

      const worker = yield* leasedWorker({
        name: "webhook deliveries",
        rows: { ...queue, claim: claimWithSecrets },
        idOf: ({ claimed }) => claimed.delivery.id,
        maxAtOnce: MAX_AT_ONCE,
        lease: LEASE,
        renewEvery: RENEW_EVERY,
        reap: settlement.reap,
        // If the store could not record the outcome, the delivery is reclaimed when its lease expires.
        work: (item, held) => Effect.ignore(Effect.tapError(attempt(item, held), Effect.logWarning)),
      });
      return WebhookDispatcher.of(worker);
    }),
  );
}
