import { Clock, Context, Effect, Layer, Option } from "effect";
import { eventId, type EventType } from "../events/index.ts";
import { EVENT_TYPES, eventAccount, eventBody, type EventData, isEventType } from "../events/neighbours.ts";
import { AccountId, Entropy, type InputInvalid, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { type DeliveryOutcome, isDelivered, UNSIGNED } from "./DeliveryOutcome.ts";
import { checkInput, eventsUnknown } from "./endpoint-settings.ts";
import { type EndpointOwner, mayChange } from "./EndpointOwner.ts";
import { EndpointNotFound } from "./errors.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { Hmac } from "./ports/Hmac.ts";
import { WebhookSender } from "./ports/WebhookSender.ts";
import { headerSigner } from "./signature.ts";

/** The account in test events of an application's endpoint, as in the samples. */
const SAMPLE_ACCOUNT = AccountId("demo@postern.test");

/** The outcome of a test event. */
export interface TrialResult extends DeliveryOutcome {
  readonly delivered: boolean;
}

/** Sends a test event to an endpoint (spec 7). Stores and changes nothing, whether the test succeeds or not. */
export class WebhookTrial extends Context.Service<
  WebhookTrial,
  {
    /** Sends the sample of an event type, by default `webhook.test`, with `test: true` in its body. */
    readonly send: (
      owner: EndpointOwner,
      endpointId: string,
      type?: string,
    ) => Effect.Effect<TrialResult, InputInvalid | EndpointNotFound | StoreUnavailable>;
  }
>()("@postern/core/webhooks/WebhookTrial") {
  static readonly layer = Layer.effect(
    WebhookTrial,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const sender = yield* WebhookSender;
      const headersOf = headerSigner(yield* Hmac);
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;

      return WebhookTrial.of({
        send: Effect.fn("WebhookTrial.send")(function* (owner, endpointId, type = "webhook.test") {
          yield* checkInput({ id: endpointId, event: type });
          const endpoint = yield* endpoints.find(owner, endpointId);
          if (Option.isNone(endpoint) || !mayChange(owner, endpoint.value.owner)) return yield* new EndpointNotFound();
          const secrets = (yield* endpoints.secrets([endpointId])).get(endpointId);
          if (secrets === undefined) return yield* new EndpointNotFound();
          if (!isEventType(type)) return yield* eventsUnknown(["event"]);
          const now = yield* Clock.currentTimeMillis;
          const data = sampleOf(type, endpointId);
          const id = eventId(now, yield* entropy.id(128));
          const of = owner._tag === "Account" ? owner.account : type === "webhook.disabled" ? null : SAMPLE_ACCOUNT;
          const body = eventBody(id, of === null ? null : eventAccount(ids, of), type, now, data, "test");
          const outcome = yield* Option.match(secrets, {
            onNone: () => Effect.succeed(UNSIGNED),
            onSome: (known) => {
              const headers = headersOf({ id, type, body, attempt: 1 }, known, now);
              return sender.send({ endpointId, url: endpoint.value.url, headers, body });
            },
          });
          return { ...outcome, delivered: isDelivered(outcome) };
        }),
      });
    }),
  );
}

const sampleOf = (type: EventType, endpointId: string): EventData<EventType> => {
  const { sample } = EVENT_TYPES[type];
  return "endpointId" in sample ? { ...sample, endpointId } : sample;
};
