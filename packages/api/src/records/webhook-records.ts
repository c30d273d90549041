import { Schema } from "effect";
import { Version } from "./preconditions.ts";
import { Count, Instant, Moment, PositiveInt, rule, Text } from "./wire.ts";

const Url = Text.annotate({ description: "Address of the receiver: `https://` and a public host, 2,048 characters." });
const Events = Schema.Array(Text)
  .check(Schema.isMinLength(1, { message: "must name at least one event type" }))
  .annotate({ description: "Event types to deliver; `GET /api/settings/webhooks/event-types` lists them." });
const Description = Text.check(Schema.isMaxLength(500, { message: "must be at most 500 characters" })).annotate({
  description: "A note for people, at most 500 characters. Default: empty.",
});
const DisablePolicy = Schema.Literals(["literal", "no_success"]).annotate({
  description:
    "When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery " +
    "succeeded meanwhile. Default: `literal`.",
});
const HonourRetryAfter = Schema.Boolean.annotate({
  description: "True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false.",
});
const Ordered = Schema.Boolean.annotate({
  description: "True: the events of an account come one at a time, in the order they occurred. Default: false.",
});
const MaxInFlight = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 32 }, { message: "must be a whole number from 1 to 32" }),
).annotate({
  description:
    "Concurrent requests to the endpoint, 1 to 10, or 32 for an application; 1 per account if it is ordered. Default: 4.",
});

const choices = {
  description: Schema.optionalKey(Description),
  disablePolicy: Schema.optionalKey(DisablePolicy),
  honourRetryAfter: Schema.optionalKey(HonourRetryAfter),
  ordered: Schema.optionalKey(Ordered),
  maxInFlight: Schema.optionalKey(MaxInFlight),
};

/** The endpoint to create. */
export const NewWebhookEndpoint = Schema.Struct({ url: Url, events: Events, ...choices }).annotate({
  identifier: "NewWebhookEndpoint",
  description: "The webhook endpoint to create.",
});

/** Changes of an endpoint; a field that is left out stays as it is. */
export const WebhookEndpointChange = Schema.Struct({
  url: Schema.optionalKey(Url),
  events: Schema.optionalKey(Events),
  ...choices,
}).annotate({
  identifier: "WebhookEndpointChange",
  description: "Changes of a webhook endpoint. A field that is left out stays as it is.",
});

const endpointFields = {
  id: Schema.String.annotate({ description: "Id of the endpoint." }),
  version: Version,
  url: Schema.String.annotate({ description: "Address of the receiver." }),
  description: Schema.String.annotate({ description: "A note for people; empty if there is none." }),
  events: Schema.Array(Schema.String).annotate({ description: "Event types that are delivered." }),
  enabled: Schema.Boolean.annotate({
    description: "False: events are held until the endpoint is enabled and replayed.",
  }),
  disabledAt: Schema.NullOr(Instant).annotate({ description: "Time it was disabled; null if it is enabled." }),
  disabledReason: Schema.NullOr(Schema.Literals(["owner", "exhausted"])).annotate({
    description: "`owner`: by request; `exhausted`: the last retry of an event failed; null if it is enabled.",
  }),
  disablePolicy: DisablePolicy,
  honourRetryAfter: HonourRetryAfter,
  ordered: Ordered,
  maxInFlight: Schema.Int.annotate({ description: "Concurrent requests to the endpoint." }),
  secretHint: Schema.String.annotate({ description: "The end of the current signing secret." }),
  createdAt: Instant.annotate({ description: "Time of creation." }),
  updatedAt: Instant.annotate({ description: "Time of the last change." }),
  lastDeliveryAt: Schema.NullOr(Instant).annotate({ description: "Time of the last attempt; null before the first." }),
  lastStatus: Schema.NullOr(Schema.Int).annotate({
    description: "HTTP status of the last attempt; null if it got no answer.",
  }),
  consecutiveFailures: Count.annotate({ description: "Failed attempts since the last success." }),
};

const Secret = Schema.String.annotate({
  description: "Signing secret, `whsec_…`. Store it now: it is not shown again.",
});

/** A receiver of an account's events (spec 7). */
export const WebhookEndpoint = Schema.Struct(endpointFields).annotate({
  identifier: "WebhookEndpoint",
  description: "A receiver of events.",
});

/** An endpoint with its secret, which is shown once. */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...endpointFields,
  secret: Schema.NullOr(Schema.String).annotate({
    description:
      "Signing secret, `whsec_…`. Store it now: it is not shown again, and null in the answer to a repeat with the same " +
      "`Idempotency-Key`.",
  }),
  watchesPending: Count.annotate({
    description:
      "Accounts in the reach of an application's endpoint that are not watched yet; their events begin with the watch.",
  }),
}).annotate({
  identifier: "WebhookEndpointWithSecret",
  description: "A new webhook endpoint with its signing secret.",
});

/** A new signing secret with the time from which it alone signs. */
export const AnnouncedSecret = Schema.Struct({
  secret: Secret,
  activatesAt: Instant.annotate({ description: "Until then deliveries carry signatures of both secrets." }),
  secretHint: Schema.String.annotate({ description: "The end of the current secret." }),
}).annotate({
  identifier: "AnnouncedSecret",
  description: "A new signing secret, before it replaces the current one.",
});

const status = Schema.NullOr(Schema.Int).annotate({
  description: "HTTP status of the answer; null if there was none.",
});
const errorCode = Schema.NullOr(Schema.String).annotate({
  description: "Why there was no complete answer, such as `timeout` or `tls_expired`; null if there was one.",
});
const ms = Count.annotate({ description: "Milliseconds from the name look-up to the last byte of the answer." });
const excerpt = Schema.String.annotate({ description: "Beginning of the answer's body, at most 4 KiB." });

/** The answer of an endpoint to a sample event. */
export const WebhookTestResult = Schema.Struct({
  delivered: Schema.Boolean.annotate({ description: "True if the receiver answered 2xx." }),
  status,
  errorCode,
  ms,
  excerpt,
}).annotate({ identifier: "WebhookTestResult", description: "The answer of the receiver to a sample event." });

/** One attempt to deliver an event. */
export const WebhookAttempt = Schema.Struct({
  n: PositiveInt.annotate({ description: "Number of the attempt, from 1." }),
  startedAt: Instant.annotate({ description: "Start of the attempt." }),
  ms,
  status,
  errorCode,
  excerpt,
}).annotate({ identifier: "WebhookAttempt", description: "An attempt to deliver an event." });

/** The state of a delivery. */
export const DeliveryState = Schema.Literals([
  "pending",
  "held",
  "in_flight",
  "succeeded",
  "exhausted",
  "cancelled",
]).annotate({
  description:
    "`held`: waits for a replay, because the endpoint is or was disabled; `exhausted`: the last retry failed.",
});

/** An event for an endpoint, with the attempts to deliver it. */
export const WebhookDelivery = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the delivery." }),
  eventId: Schema.String.annotate({ description: "Id of the event, as in the body and in the header `webhook-id`." }),
  event: Schema.String.annotate({ description: "Event type." }),
  occurredAt: Instant.annotate({ description: "Time of the event." }),
  trigger: Schema.Literals(["event", "replay", "resend"]).annotate({
    description: "`event`: the event itself; `replay` or `resend`: a request.",
  }),
  state: DeliveryState,
  failures: Count.annotate({ description: "Failed attempts since the delivery began, or since its last replay." }),
  nextAttemptAt: Schema.NullOr(Instant).annotate({ description: "Time of the next attempt; null if none is due." }),
  attempts: Schema.Array(WebhookAttempt).annotate({ description: "The attempts, oldest first." }),
}).annotate({
  identifier: "WebhookDelivery",
  description: "An event for an endpoint, with the attempts to deliver it.",
});

/** An event type. */
export const WebhookEventType = Schema.Struct({
  event: Schema.String.annotate({ description: "Name of the event type." }),
  meaning: Schema.String.annotate({ description: "When the event occurs." }),
  schema: Schema.Unknown.annotateKey({ description: "JSON Schema of `data`." }),
  sample: Schema.Unknown.annotateKey({ description: "A sample body." }),
}).annotate({ identifier: "WebhookEventType", description: "An event type." });

/** The events to replay. */
export const ReplayOrder = Schema.Struct({
  since: Moment.annotate({ description: "Events from this time on; at most 14 days ago." }),
  until: Schema.optionalKey(Moment.annotate({ description: "Events before this time. Default: now." })),
  states: Schema.optionalKey(
    Schema.Array(Schema.Literals(["held", "exhausted"]))
      .check(Schema.isMinLength(1, { message: "must name at least one state" }))
      .annotate({ description: "States of the deliveries to replay. Default: both." }),
  ),
}).annotate({ identifier: "ReplayOrder", description: "The events to replay." });

/** A replay in progress. */
export const ReplayTicket = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the replay." }),
  queued: Count.annotate({ description: "Deliveries queued so far." }),
  complete: Schema.Boolean.annotate({ description: "False while more deliveries are being queued." }),
}).annotate({ identifier: "ReplayTicket", description: "A replay in progress." });

/** How long two secrets sign. */
export const Overlap = Text.check(
  rule((text) =>
    /^(\d{1,7})(s|m|h|d)$|^0$/.test(text) ? undefined : "must be 0, or a duration such as 24h, at most 7d",
  ),
).annotate({
  description:
    "How long both secrets sign: `0`, or a duration such as `24h`, at most `7d`. Default: `24h`. After a leak: `0`.",
});
