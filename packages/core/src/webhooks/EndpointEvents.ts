import { Context, Effect, Layer } from "effect";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher, writeEvent } from "../events/index.ts";
import { Entropy, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { ApplicationEvents } from "./ApplicationEvents.ts";
import type { DisabledReason, Endpoint } from "./Endpoint.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** Publishes `webhook.disabled` to its account, or to the other endpoints of its application (spec 7.2, 10.3). */
export class EndpointEvents extends Context.Service<
  EndpointEvents,
  {
    /** Publishes the event inside the transaction that disables the endpoint; `at` in epoch milliseconds. */
    readonly disabled: (
      endpoint: Pick<Endpoint, "id" | "owner">,
      reason: DisabledReason,
      at: number,
    ) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/EndpointEvents") {
  static readonly layer = Layer.effect(
    EndpointEvents,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const publisher = yield* EventPublisher;
      const applications = yield* ApplicationEvents;
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;

      return EndpointEvents.of({
        disabled: Effect.fnUntraced(function* ({ id: endpointId, owner }, reason, at) {
          const data = { endpointId, reason };
          if (owner._tag === "Account") {
            const id = eventId(at, yield* entropy.id(128));
            const of = eventAccount(ids, owner.account);
            yield* publisher.publish([writeEvent(id, of, "webhook.disabled", at, data)]);
            return;
          }
          const all = yield* endpoints.ofApplication(owner.application, "webhook.disabled");
          const others = all.filter(({ id }) => id !== endpointId);
          yield* applications.publish(owner.application, others, { account: null, type: "webhook.disabled", data });
        }),
      });
    }),
  ).pipe(Layer.provide(ApplicationEvents.layer));
}
