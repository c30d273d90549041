import { Count, PositiveInt, webhookFields } from "@postern/core/rules";
import { Schema } from "effect";
import { Instant } from "./wire.ts";

const Secret = Schema.String.annotate({
  description: "Signing secret, `whsec_…`. Store it now: it is not shown again.",
});

/** A new signing secret, and the time from which only this secret signs. */
export const AnnouncedSecret = Schema.Struct({
  secret: Secret,
  activatesAt: Instant.annotate({ description: "Until then deliveries carry signatures of both secrets." }),
  secretHint: Schema.String.annotate({ description: "The last characters of the current secret." }),
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
  requestHeaders: Schema.NullOr(Schema.Record(Schema.String, Schema.String)).annotate({
    description: "Headers that were sent; null if nothing was sent, and for attempts of earlier releases.",
  }),
}).annotate({ identifier: "WebhookAttempt", description: "An attempt to deliver an event." });

/** The state of a delivery. */
const DeliveryState = webhookFields.state.annotate({
  description:
    "`held`: waits for a replay, because the endpoint is or was disabled; `exhausted`: the last retry failed.",
});

/** The filter of a listing of deliveries. */
export const deliveryQuery = {
  state: Schema.optionalKey(DeliveryState.annotate({ description: "Deliveries in this state only." })),
  event: Schema.optionalKey(webhookFields.event.annotate({ description: "Deliveries of this event type only." })),
  cursor: Schema.optionalKey(webhookFields.cursor.annotate({ description: "`nextCursor` of the previous page." })),
  limit: Schema.optionalKey(
    webhookFields.limit.annotateKey({
      description: "Deliveries per page. Default: 50; more than 200 counts as 200.",
    }),
  ),
};

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
  nextAttemptAt: Schema.NullOr(Instant).annotate({
    description: "Earliest time of the next attempt; null if none is planned.",
  }),
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
  since: webhookFields.since.annotate({ description: "Events from this time on; at most 14 days ago." }),
  until: Schema.optionalKey(webhookFields.until.annotate({ description: "Events before this time. Default: now." })),
  states: Schema.optionalKey(
    webhookFields.states.annotate({ description: "States of the deliveries to replay. Default: both." }),
  ),
}).annotate({ identifier: "ReplayOrder", description: "The events to replay." });

/** A replay in progress. */
export const ReplayTicket = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the replay." }),
  queued: Count.annotate({ description: "Deliveries queued so far." }),
  complete: Schema.Boolean.annotate({ description: "False while more deliveries are being queued." }),
}).annotate({ identifier: "ReplayTicket", description: "A replay in progress." });

/** The time for which both secrets sign. */
export const Overlap = webhookFields.overlap.annotate({
  description:
    "How long both secrets sign: `0`, or a duration such as `24h`, at most `7d`. Default: `24h`. After a leak: `0`.",
});
