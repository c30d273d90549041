import { keyFields, webhookFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { documented } from "../../document/documented.ts";
import { KEY } from "../../examples/keys.ts";
import { DELIVERY, DELIVERY_ID, ENDPOINT_ID, EVENT } from "../../examples/webhooks.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { DeliveryNotFound, EndpointNotFound } from "../../problems/webhooks.ts";
import { ENDPOINT, WebhookEndpoint } from "../../records/webhook-endpoints.ts";
import { deliveryQuery, WebhookDelivery } from "../../records/webhook-records.ts";
import { NextCursor, Ok, pageQuery } from "../../records/wire.ts";

const application = {
  name: keyFields.application.annotate({ description: "Name of the application.", examples: [KEY.application] }),
};
const endpoint = {
  ...application,
  id: webhookFields.id.annotate({ description: "Id of the webhook endpoint.", examples: [ENDPOINT_ID] }),
};

export const endpoints = HttpApiEndpoint.get("endpoints", "/applications/:name/webhooks", {
  params: application,
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(WebhookEndpoint).annotate({ description: "The endpoints, oldest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the webhook endpoints of an application",
    description: "Returns the endpoints that keys of the application made, oldest first, without their secrets.",
    answer: { ok: true, data: [ENDPOINT], nextCursor: null },
  }),
);

export const endpointDeliveries = HttpApiEndpoint.get("deliveries", "/applications/:name/webhooks/:id/deliveries", {
  params: endpoint,
  query: deliveryQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(WebhookDelivery).annotate({ description: "The deliveries of this page, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the deliveries of an application's endpoint",
    description:
      "Returns deliveries with all their attempts, newest first: the headers that were sent and the answers, without the " +
      "bodies. They are kept for 14 days.",
    answer: { ok: true, data: [DELIVERY], nextCursor: null },
  }),
);

const DeliveryBody = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the delivery." }),
  body: Schema.String.annotate({ description: "The body that each attempt sends: an event as JSON." }),
}).annotate({ identifier: "DeliveryBody", description: "The body of a delivery." });

export const readBody = HttpApiEndpoint.post(
  "readBody",
  "/applications/:name/webhooks/:id/deliveries/:deliveryId/body",
  {
    params: {
      ...endpoint,
      deliveryId: webhookFields.deliveryId.annotate({ description: "Id of the delivery.", examples: [DELIVERY_ID] }),
    },
    success: Schema.Struct({ ok: Ok, data: DeliveryBody }),
    error: [EndpointNotFound, DeliveryNotFound, StoreUnavailable],
  },
).annotateMerge(
  documented({
    scope: "admin",
    summary: "Read the body of a delivery",
    description:
      "Returns the body of a delivery, which may quote mail. Each request leaves an entry in the audit, with the account " +
      "and the id of the delivery.",
    answer: { ok: true, data: { id: DELIVERY_ID, body: JSON.stringify(EVENT) } },
  }),
);
