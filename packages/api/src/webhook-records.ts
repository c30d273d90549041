import { Schema } from "effect";
import { Count, Instant, PositiveInt, Text } from "./wire.ts";

const Url = Text.annotate({ description: "`https://` with a public host; at most 2048 characters." });
const Events = Schema.Array(Text)
  .check(Schema.isMinLength(1, { message: "must name at least one kind of event" }))
  .annotate({ description: "Kinds of events; `GET /api/settings/webhooks/event-types` lists them." });
const Description = Text.check(Schema.isMaxLength(500, { message: "must be at most 500 characters" }));
const DisablePolicy = Schema.Literals(["literal", "no_success"]).annotate({
  description: "When the last retry of an event fails: disable always, or only if nothing succeeded meanwhile.",
});
const HonourRetryAfter = Schema.Boolean.annotate({
  description: "`Retry-After` of the receiver lengthens a wait, up to twofold.",
});
const Ordered = Schema.Boolean.annotate({ description: "One event at a time, in their order." });
const MaxInFlight = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 10 }, { message: "must be a whole number from 1 to 10" }),
).annotate({ description: "Requests to the endpoint at a time; one where it is ordered." });

const choices = {
  description: Schema.optionalKey(Description),
  disablePolicy: Schema.optionalKey(DisablePolicy),
  honourRetryAfter: Schema.optionalKey(HonourRetryAfter),
  ordered: Schema.optionalKey(Ordered),
  maxInFlight: Schema.optionalKey(MaxInFlight),
};

/** What an endpoint is made from. */
export const NewWebhookEndpoint = Schema.Struct({ url: Url, events: Events, ...choices }).annotate({
  identifier: "NewWebhookEndpoint",
});

/** What is to change about an endpoint; what is left out stays. */
export const WebhookEndpointChange = Schema.Struct({
  url: Schema.optionalKey(Url),
  events: Schema.optionalKey(Events),
  ...choices,
}).annotate({ identifier: "WebhookEndpointChange" });

const endpointFields = {
  id: Schema.String,
  url: Schema.String,
  description: Schema.String,
  events: Schema.Array(Schema.String),
  enabled: Schema.Boolean,
  disabledAt: Schema.NullOr(Instant),
  disabledReason: Schema.NullOr(Schema.Literals(["owner", "exhausted"])).annotate({
    description: "`exhausted`: the last retry of an event failed.",
  }),
  disablePolicy: DisablePolicy,
  honourRetryAfter: Schema.Boolean,
  ordered: Schema.Boolean,
  maxInFlight: Schema.Int,
  secretHint: Schema.String.annotate({ description: "The end of the secret in force." }),
  createdAt: Instant,
  updatedAt: Instant,
  lastDeliveryAt: Schema.NullOr(Instant),
  lastStatus: Schema.NullOr(Schema.Int).annotate({ description: "Of the last attempt; null where none was answered." }),
  consecutiveFailures: Count,
};

/** Where an account's events go (spec 7). */
export const WebhookEndpoint = Schema.Struct(endpointFields).annotate({ identifier: "WebhookEndpoint" });

/** An endpoint with its secret, which is shown this once. */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...endpointFields,
  secret: Schema.String.annotate({ description: "`whsec_…`: keep it, it is not shown again." }),
}).annotate({ identifier: "WebhookEndpointWithSecret" });

/** A secret that was announced. */
export const AnnouncedSecret = Schema.Struct({
  secret: Schema.String.annotate({ description: "`whsec_…`: keep it, it is not shown again." }),
  activatesAt: Instant.annotate({ description: "Until then the secret in force and this one sign both." }),
  secretHint: Schema.String.annotate({ description: "The end of the secret in force." }),
}).annotate({ identifier: "AnnouncedSecret" });

/** What an endpoint did with an event made up to try it. */
export const WebhookTestResult = Schema.Struct({
  delivered: Schema.Boolean,
  status: Schema.NullOr(Schema.Int),
  errorCode: Schema.NullOr(Schema.String).annotate({ description: "Why there was no complete answer." }),
  ms: Count,
  excerpt: Schema.String.annotate({ description: "The beginning of the answer's body, at most 4 KiB." }),
}).annotate({ identifier: "WebhookTestResult" });

/** One POST that was made. */
export const WebhookAttempt = Schema.Struct({
  n: PositiveInt,
  startedAt: Instant,
  ms: Count.annotate({ description: "From the look-up of the name to the last byte read." }),
  status: Schema.NullOr(Schema.Int),
  errorCode: Schema.NullOr(Schema.String).annotate({ description: "Why there was no complete answer." }),
  excerpt: Schema.String,
}).annotate({ identifier: "WebhookAttempt" });

/** How a delivery stands. */
export const DeliveryState = Schema.Literals([
  "pending",
  "held",
  "in_flight",
  "succeeded",
  "exhausted",
  "cancelled",
]).annotate({
  description: "`held`: waits for a replay, because the endpoint is disabled or was.",
});

/** An event on its way to an endpoint. */
export const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  eventId: Schema.String.annotate({ description: "As the body and `webhook-id` have it." }),
  event: Schema.String,
  occurredAt: Instant,
  trigger: Schema.Literals(["event", "replay", "resend"]),
  state: DeliveryState,
  failures: Count.annotate({ description: "Attempts that failed on this ladder." }),
  nextAttemptAt: Schema.NullOr(Instant).annotate({ description: "Null where none is due." }),
  attempts: Schema.Array(WebhookAttempt),
}).annotate({ identifier: "WebhookDelivery" });

/** A kind of event. */
export const WebhookEventType = Schema.Struct({
  event: Schema.String,
  meaning: Schema.String,
  schema: Schema.Unknown.annotate({ description: "JSON Schema of `data`." }),
  sample: Schema.Unknown.annotate({ description: "A whole body." }),
}).annotate({ identifier: "WebhookEventType" });

const Moment = Text.check(
  Schema.makeFilter((text) =>
    ISO_8601.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : "must be a time such as 2026-01-02T03:04:05Z",
  ),
).annotate({ format: "date-time" });
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Which events to bring again. */
export const ReplayOrder = Schema.Struct({
  since: Moment.annotate({ description: "At most 14 days ago." }),
  until: Schema.optionalKey(Moment.annotate({ description: "Before it; default now." })),
  states: Schema.optionalKey(
    Schema.Array(Schema.Literals(["held", "exhausted"])).check(
      Schema.isMinLength(1, { message: "must name at least one state" }),
    ),
  ),
}).annotate({ identifier: "ReplayOrder" });

/** A replay under way. */
export const ReplayTicket = Schema.Struct({
  id: Schema.String,
  queued: Count.annotate({ description: "Deliveries made due so far." }),
  complete: Schema.Boolean.annotate({ description: "False: more are being made due." }),
}).annotate({ identifier: "ReplayTicket" });

/** How long two secrets sign. */
export const Overlap = Text.check(
  Schema.makeFilter((text) =>
    /^(\d{1,7})(s|m|h|d)$|^0$/.test(text) ? undefined : "must be 0 or such as 24h, 7d at most",
  ),
).annotate({ description: "How long both sign: `0` to `7d`, default `24h`. After a leak: 0." });
