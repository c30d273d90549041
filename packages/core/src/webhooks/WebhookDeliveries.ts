import { Clock, Context, Effect, Layer, Option, Scope } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import type { KeyClaim, RepeatError } from "../creations/neighbours.ts";
import { EventLedger, type EventType } from "../events/index.ts";
import { isEventType, KEPT_MILLIS } from "../events/neighbours.ts";
import { Entropy, InputInvalid, type StoreUnavailable, Transaction, yieldToOthers } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { millisOf } from "../shared/rules.ts";
import type { DeliveryState } from "./Delivery.ts";
import { deliveryId } from "./delivery-id.ts";
import { isHeld, newDelivery } from "./delivery-state.ts";
import { type EndpointOwner, mayChange } from "./EndpointOwner.ts";
import { checkInput, eventsUnknown } from "./endpoint-settings.ts";
import type { Endpoint } from "./Endpoint.ts";
import { DeliveryNotFound, EndpointDisabled, EndpointNotFound, ReplayTooOld } from "./errors.ts";
import { DeliveryLog, type EventPlace, type LoggedDelivery } from "./ports/DeliveryLog.ts";
import { DeliveryQueue } from "./ports/DeliveryQueue.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { replayPlan, type ReplayReceipt, type ReplayRequest, type ReplayState } from "./replay-plan.ts";

/** The default and the maximum number of deliveries on a page. */
const PAGE = 50;
const MAX_PAGE = 200;

/** A delivery as its owner sees it. */
export interface DeliveryView extends LoggedDelivery {
  readonly state: DeliveryState | "held";
}

export interface DeliveryPage {
  readonly deliveries: ReadonlyArray<DeliveryView>;
  readonly nextCursor: string | null;
}

/** The filter of a listing; `event` is an event type. */
export interface DeliverySearch {
  readonly state?: DeliveryState | "held" | undefined;
  readonly event?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Lists, reads, resends and replays the deliveries of an endpoint (spec 7). */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Returns a page of the deliveries, newest first. */
    readonly page: (
      owner: EndpointOwner,
      endpointId: string,
      search: DeliverySearch,
    ) => Effect.Effect<DeliveryPage, EndpointNotFound | InputInvalid | StoreUnavailable>;
    /** Returns the body of a delivery while its event is kept, and records who read it (spec 7.13). */
    readonly readBody: (
      owner: EndpointOwner,
      endpointId: string,
      id: string,
    ) => Effect.Effect<Uint8Array, EndpointNotFound | DeliveryNotFound | InputInvalid | StoreUnavailable>;
    /** Makes one more attempt, once for each key. The attempt is not retried and never disables the endpoint. */
    readonly resend: (
      owner: EndpointOwner,
      endpointId: string,
      id: string,
      key?: CreationKey,
    ) => Effect.Effect<DeliveryView, EndpointNotFound | DeliveryNotFound | EndpointDisabled | RepeatError>;
    /**
     * Replays events. Skips deliveries that succeeded, are due or are in flight, so a repeated request adds nothing.
     * With the same key, a repeated request continues a replay that was interrupted.
     */
    readonly replay: (
      owner: EndpointOwner,
      endpointId: string,
      request: ReplayRequest,
      key?: CreationKey,
    ) => Effect.Effect<ReplayReceipt, EndpointNotFound | EndpointDisabled | ReplayTooOld | RepeatError>;
  }
>()("@postern/core/webhooks/WebhookDeliveries") {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const log = yield* DeliveryLog;
      const creations = yield* Creations;
      const queue = yield* DeliveryQueue;
      const ledger = yield* EventLedger;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const scope = yield* Scope.Scope;

      const findEndpoint = Effect.fnUntraced(function* (owner: EndpointOwner, id: string) {
        yield* checkInput({ id });
        const endpoint = yield* endpoints.find(owner, id);
        if (Option.isNone(endpoint) || !mayChange(owner, endpoint.value.owner)) return yield* new EndpointNotFound();
        return endpoint.value;
      });

      /** Returns the endpoint, locked until the transaction ends. */
      const lockEndpoint = (id: string) =>
        Effect.map(
          endpoints.change([id], (endpoint) => [endpoint, endpoint]),
          ([endpoint]) => endpoint,
        );

      const resendOne = Effect.fnUntraced(function* (
        owner: EndpointOwner,
        endpointId: string,
        id: string,
        claim: KeyClaim,
      ) {
        yield* checkInput({ deliveryId: id });
        yield* findEndpoint(owner, endpointId);
        const endpoint = yield* lockEndpoint(endpointId);
        if (endpoint === undefined) return yield* new EndpointNotFound();
        const logged = yield* log.find(endpointId, id);
        if (Option.isNone(logged)) return yield* new DeliveryNotFound();
        if (endpoint.state === "disabled") return yield* new EndpointDisabled();
        const { delivery } = logged.value;
        const now = yield* Clock.currentTimeMillis;
        const again = newDelivery(
          deliveryId(now, delivery.position, yield* entropy.id(80)),
          delivery,
          endpoint,
          `resend:${yield* entropy.id(96)}`,
          now,
        );
        yield* claim.complete(again.id);
        yield* queue.insert([again]);
        return viewOf({ delivery: again, attempts: [] }, endpoint);
      }, transaction.run);

      const findDelivery = Effect.fnUntraced(function* (owner: EndpointOwner, endpointId: string, id: string) {
        const endpoint = yield* findEndpoint(owner, endpointId);
        return Option.map(yield* log.find(endpointId, id), (logged) => viewOf(logged, endpoint));
      });

      /** Queues one batch. `last` is the last event of the batch; null after the last batch or when the generation has changed. */
      const replayBatch = Effect.fnUntraced(function* (
        { id, generation }: Endpoint,
        range: { readonly since: number; readonly until: number; readonly after: EventPlace | null },
        requestId: string,
        states: ReadonlyArray<ReplayState>,
      ) {
        const endpoint = yield* lockEndpoint(id);
        if (endpoint === undefined || endpoint.generation !== generation) return { queued: 0, last: null };
        const now = yield* Clock.currentTimeMillis;
        const places = yield* log.listReplayable(id, range, ROWS_AT_ONCE);
        const rows = yield* log.ofEvents(
          id,
          places.map(({ eventId }) => eventId),
        );
        const byEvent = Map.groupBy(rows, ({ eventId }) => eventId);
        const plans = yield* Effect.forEach(places, ({ eventId, position }) =>
          Effect.map(entropy.id(80), (random) =>
            replayPlan(
              byEvent.get(eventId) ?? [],
              endpoint,
              { newId: deliveryId(now, position, random), requestId, states },
              now,
            ),
          ),
        );
        yield* log.revise(plans.flatMap(({ current, cancelled }) => [...(current ? [current] : []), ...cancelled]));
        const added = plans.flatMap((plan) => plan.added ?? []);
        yield* queue.insert(added);
        const queued = added.length + plans.filter(({ current }) => current !== null).length;
        return { queued, last: places.length < ROWS_AT_ONCE ? null : (places.at(-1) ?? null) };
      }, transaction.run);

      const replayOne = Effect.fnUntraced(function* (
        owner: EndpointOwner,
        endpointId: string,
        request: ReplayRequest,
        id: string,
        claim?: KeyClaim,
      ) {
        yield* checkInput(request);
        const endpoint = yield* findEndpoint(owner, endpointId);
        const now = yield* Clock.currentTimeMillis;
        const { states = ["held", "exhausted"] } = request;
        const since = millisOf(request.since);
        const until = request.until === undefined ? now + 1 : millisOf(request.until);
        if (since < now - KEPT_MILLIS) return yield* new ReplayTooOld();
        if (until <= since)
          return yield* new InputInvalid({ errors: [{ field: "until", message: "must be later than since" }] });
        if (endpoint.state === "disabled") return yield* new EndpointDisabled();
        const next = (after: EventPlace | null) => replayBatch(endpoint, { since, until, after }, id, states);
        const first = yield* transaction.run(Effect.andThen(claim?.complete(id) ?? Effect.void, next(null)));
        const rest = Effect.gen(function* () {
          for (let after = first.last; after !== null; after = (yield* next(after)).last) yield* yieldToOthers;
        });
        if (first.last !== null) {
          const logged = Effect.catchCause(rest, (cause) =>
            Effect.logWarning("replay failed, the remaining events are not queued", cause),
          );
          yield* Effect.forkIn(logged, scope);
        }
        return { id, queued: first.queued, complete: first.last === null };
      });

      return WebhookDeliveries.of({
        page: Effect.fn("WebhookDeliveries.page")(function* (owner, endpointId, search) {
          yield* checkInput(search);
          const { state, event, cursor } = search;
          const limit = Math.min(search.limit ?? PAGE, MAX_PAGE);
          const endpoint = yield* findEndpoint(owner, endpointId);
          if (event !== undefined && !isEventType(event)) return yield* eventsUnknown(["event"]);
          const type: EventType | undefined = event;
          const logged = yield* log.page(endpoint, { state, type, before: cursor }, limit + 1);
          const deliveries = logged.slice(0, limit).map((one) => viewOf(one, endpoint));
          return { deliveries, nextCursor: logged.length > limit ? deliveries.at(-1)!.delivery.id : null };
        }),
        readBody: Effect.fn("WebhookDeliveries.readBody")(function* (owner, endpointId, id) {
          yield* checkInput({ deliveryId: id });
          yield* findEndpoint(owner, endpointId);
          const delivery = Option.getOrUndefined(yield* log.find(endpointId, id))?.delivery;
          const [event] = delivery === undefined ? [] : yield* ledger.find([delivery.eventId]);
          if (delivery === undefined || event === undefined) return yield* new DeliveryNotFound();
          yield* recordOperation("operator.readBody", { account: delivery.account, target: id });
          return event.body;
        }, transaction.run),
        resend: Effect.fn("WebhookDeliveries.resend")((owner, endpointId, id, key) =>
          creations.once(
            key,
            { operation: "deliveries.resend", request: { endpointId, id } },
            (claim) => resendOne(owner, endpointId, id, claim),
            (again) => findDelivery(owner, endpointId, again),
          ),
        ),
        replay: Effect.fn("WebhookDeliveries.replay")(function* (owner, endpointId, request, key) {
          const id = `rpl_${yield* entropy.id(96)}`;
          return yield* creations.once(
            key,
            { operation: "deliveries.replay", request: { endpointId, ...request } },
            (claim) => replayOne(owner, endpointId, request, id, claim),
            (begun) => Effect.asSome(replayOne(owner, endpointId, request, begun)),
          );
        }),
      });
    }),
  );
}

const viewOf = (logged: LoggedDelivery, endpoint: Endpoint): DeliveryView => ({
  ...logged,
  state: isHeld(logged.delivery, endpoint) ? "held" : logged.delivery.state,
});
