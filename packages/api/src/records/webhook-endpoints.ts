import { Count, webhookFields } from "@postern/core/rules";
import { Schema } from "effect";
import { ENDPOINT_ID, SECRET } from "../examples/webhooks.ts";
import { Version } from "./preconditions.ts";
import { Instant } from "./wire.ts";

const Url = webhookFields.url.annotate({
  description: "Address of the receiver: `https://` and a public host, at most 2,048 characters.",
});
const Events = webhookFields.events.annotate({
  description: "Event types to deliver; `GET /api/settings/webhooks/event-types` lists them.",
});
const Folders = webhookFields.folders.annotate({
  description:
    'Folders whose events to deliver: roles and ids; `*` means all but Junk and Trash. Default: `["inbox"]`. Other ' +
    "folders have events in accounts that follow all folders.",
});
const Description = webhookFields.description.annotate({
  description: "A note for people, at most 500 characters. Default: empty.",
});
const DisablePolicy = webhookFields.disablePolicy.annotate({
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
const MaxInFlight = webhookFields.maxInFlight.annotate({
  description:
    "Concurrent requests to the endpoint, 1 to 10, or 32 for an application; 1 per account if it is ordered. Default: 4.",
});

const choices = {
  folders: Schema.optionalKey(Folders),
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

/** Changes of an endpoint; omitted fields stay unchanged. */
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
  folders: Schema.Array(Schema.String).annotate({ description: "Folders whose events are delivered." }),
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
      "Accounts in the reach of an application's endpoint that are not watched yet; their events begin once they " +
      "are watched.",
  }),
}).annotate({
  identifier: "WebhookEndpointWithSecret",
  description: "A new webhook endpoint with its signing secret.",
});

/** The endpoint of the examples: a receiver that wants arrivals and bounces. */
export const ENDPOINT = {
  id: ENDPOINT_ID,
  version: "n4bQgYhMfWWaL-qg",
  url: "https://hooks.example.com/postern",
  description: "Support inbox",
  events: ["email.received", "email.bounced"],
  folders: ["inbox"],
  enabled: true,
  disabledAt: null,
  disabledReason: null,
  disablePolicy: "literal",
  honourRetryAfter: false,
  ordered: false,
  maxInFlight: 4,
  secretHint: "…FRYX",
  createdAt: "2026-03-02T08:00:00.000Z",
  updatedAt: "2026-03-02T08:00:00.000Z",
  lastDeliveryAt: "2026-03-02T09:30:03.000Z",
  lastStatus: 200,
  consecutiveFailures: 0,
};

export const NEW_ENDPOINT = {
  ...ENDPOINT,
  lastDeliveryAt: null,
  lastStatus: null,
  secret: SECRET,
  watchesPending: 0,
};
