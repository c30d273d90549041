import { webhookFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { CreationKeyHeaders } from "../records/preconditions.ts";
import { documented } from "../document/documented.ts";
import { DELIVERY, DELIVERY_ID, ENDPOINT_ID, EVENT, NEXT_SECRET } from "../examples/webhooks.ts";
import { ENDPOINT } from "../records/webhook-endpoints.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { DeliveryNotFound, EndpointDisabled, EndpointNotFound, ReplayTooOld } from "../problems/webhooks.ts";
import {
  AnnouncedSecret,
  deliveryQuery,
  Overlap,
  ReplayOrder,
  ReplayTicket,
  WebhookDelivery,
  WebhookTestResult,
} from "../records/webhook-records.ts";
import { Ok } from "../records/wire.ts";

/** An endpoint in a path. */
export const params = {
  id: webhookFields.id.annotate({ description: "Id of the webhook endpoint.", examples: [ENDPOINT_ID] }),
};

export const test = HttpApiEndpoint.post("test", "/:id/test", {
  params,
  payload: [
    Schema.Struct({
      event: Schema.optionalKey(
        webhookFields.event.annotate({ description: "Event type of the sample. Default: `webhook.test`." }),
      ),
    }),
    Schema.Null,
  ],
  success: Schema.Struct({ ok: Ok, data: WebhookTestResult }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Send a sample event",
    description:
      "Sends a signed sample, marked `test: true`, and waits for the receiver. The answer is 200 even if the " +
      "receiver fails. Nothing is stored and nothing is retried; it works while the endpoint is disabled.",
    request: { event: EVENT.event },
    answer: { ok: true, data: { delivered: true, status: 200, errorCode: null, ms: 42, excerpt: "ok" } },
  }),
);

export const rotate = HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
  params,
  payload: [Schema.Struct({ overlap: Schema.optionalKey(Overlap) }), Schema.Null],
  success: Schema.Struct({ ok: Ok, data: AnnouncedSecret }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Rotate the signing secret",
    description:
      "Creates a new secret. During `overlap`, deliveries carry signatures of both secrets, so that the " +
      "receiver can switch; afterwards only the signature of the new secret. A repeat replaces the new secret.",
    request: { overlap: "24h" },
    answer: {
      ok: true,
      data: { secret: NEXT_SECRET, activatesAt: "2026-03-03T10:00:00.000Z", secretHint: ENDPOINT.secretHint },
    },
  }),
);

export const deliveries = HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
  params,
  query: deliveryQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(WebhookDelivery).annotate({ description: "The deliveries of this page, newest first." }),
    nextCursor: Schema.NullOr(Schema.String).annotate({
      description: "`cursor` of the request for the next page; null on the last page.",
    }),
  }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "List the deliveries of a webhook endpoint",
    description: "Returns deliveries with all their attempts, newest first. They are kept for 14 days.",
    answer: { ok: true, data: [DELIVERY], nextCursor: null },
  }),
);

export const resend = HttpApiEndpoint.post("resend", "/:id/deliveries/:deliveryId/resend", {
  params: {
    ...params,
    deliveryId: webhookFields.deliveryId.annotate({ description: "Id of the delivery.", examples: [DELIVERY_ID] }),
  },
  headers: CreationKeyHeaders,
  success: Schema.Struct({ ok: Ok, data: WebhookDelivery }),
  error: [EndpointNotFound, DeliveryNotFound, EndpointDisabled, StoreUnavailable, ...REPEAT_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Resend an event",
    description:
      "Queues one more attempt with the same event id. If it fails it is not retried, and the endpoint stays " +
      "enabled. A repeat queues another attempt, unless both requests have the same `Idempotency-Key`.",
    answer: {
      ok: true,
      data: {
        ...DELIVERY,
        id: "del_0mwraxag60000004AY7fdV9TeoY_9g",
        trigger: "resend",
        state: "pending",
        nextAttemptAt: "2026-03-02T10:00:00.000Z",
        attempts: [],
      },
    },
  }),
);

export const replay = HttpApiEndpoint.post("replay", "/:id/replay", {
  params,
  headers: CreationKeyHeaders,
  payload: ReplayOrder,
  success: Schema.Struct({ ok: Ok, data: ReplayTicket }).annotate({
    httpApiStatus: 202,
  }),
  error: [InvalidRequest, EndpointNotFound, EndpointDisabled, ReplayTooOld, StoreUnavailable, ...REPEAT_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Replay held and exhausted events",
    description:
      "Queues the events of a time range whose delivery is held or exhausted. Events that were delivered, are due or " +
      "in flight are skipped, so a repeat queues nothing twice. A repeat with the same `Idempotency-Key` continues " +
      "the same replay, and queues the events that an interrupted request did not queue.",
    request: { since: "2026-03-01T00:00:00Z" },
    answer: { ok: true, data: { id: "rpl_6rBK8SEUQ-ar6qFU", queued: 3, complete: true } },
  }),
);
