import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { documented } from "../document/documented.ts";
import { EndpointAuthorization } from "../auth/EndpointAuthorization.ts";
import { ENDPOINT_ID, EVENT } from "../examples/webhooks.ts";
import { CreationKeyHeaders, IfMatchHeaders } from "../records/preconditions.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { EndpointChanged, EndpointNotFound, TooManyEndpoints } from "../problems/webhooks.ts";
import {
  ENDPOINT,
  NEW_ENDPOINT,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
} from "../records/webhook-endpoints.ts";
import { WebhookEventType } from "../records/webhook-records.ts";
import { Deleted, NextCursor, Ok, pageQuery } from "../records/wire.ts";
import { deliveries, params, replay, resend, rotate, test } from "./webhook-deliveries.ts";

const oneEndpoint = Schema.Struct({ ok: Ok, data: WebhookEndpoint });

const create = HttpApiEndpoint.post("create", "/", {
  headers: CreationKeyHeaders,
  payload: NewWebhookEndpoint,
  success: Schema.Struct({
    ok: Ok,
    data: WebhookEndpointWithSecret,
  }),
  error: [InvalidRequest, TooManyEndpoints, ...REPEAT_PROBLEMS, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Create a webhook endpoint",
    description:
      "Creates an enabled endpoint and watches the mailbox from now on. The answer has the signing secret, which is " +
      "not shown again. A repeat creates another endpoint, unless both requests have the same `Idempotency-Key`; " +
      "an account has at most 100. A service key without `Postern-Account` creates an endpoint of its application, " +
      "with the events of every managed account that the key reaches now and later. The request waits up to 10 " +
      "seconds until the mailboxes of these accounts are watched.",
    request: { url: ENDPOINT.url, events: ENDPOINT.events, description: ENDPOINT.description },
    answer: { ok: true, data: NEW_ENDPOINT },
  }),
);

const list = HttpApiEndpoint.get("list", "/", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(WebhookEndpoint).annotate({ description: "The endpoints, oldest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "List the webhook endpoints",
    description:
      "Returns all endpoints of the account, or of the application of a service key without `Postern-Account`, " +
      "enabled or not, oldest first.",
    answer: { ok: true, data: [ENDPOINT], nextCursor: null },
  }),
);

const eventTypes = HttpApiEndpoint.get("eventTypes", "/event-types", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(WebhookEventType).annotate({ description: "The event types." }),
    nextCursor: NextCursor,
  }),
  error: InvalidRequest,
}).annotateMerge(
  documented({
    scope: "events",
    summary: "List the event types",
    description: "Returns every event type with its meaning, the JSON Schema of its `data` and a sample body.",
    answer: {
      ok: true,
      data: [
        {
          event: EVENT.event,
          meaning: "A new message arrived in the inbox.",
          schema: { type: "object", properties: { uid: { type: "integer" }, subject: { type: "string" } } },
          sample: EVENT,
        },
      ],
      nextCursor: null,
    },
  }),
);

const get = HttpApiEndpoint.get("get", "/:id", {
  params,
  success: oneEndpoint,
  error: [EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Read a webhook endpoint",
    description: "Returns the endpoint with the outcome of its last attempt. The signing secret is not shown.",
    answer: { ok: true, data: ENDPOINT },
  }),
);

const change = HttpApiEndpoint.patch("change", "/:id", {
  params,
  headers: IfMatchHeaders,
  payload: WebhookEndpointChange,
  success: oneEndpoint,
  error: [InvalidRequest, EndpointNotFound, EndpointChanged, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Change a webhook endpoint",
    description:
      "Changes the fields given; others stay. Pending deliveries use the new settings. A repeat changes " + "nothing.",
    request: { events: ["email.received"] },
    answer: { ok: true, data: { ...ENDPOINT, events: ["email.received"], updatedAt: "2026-03-02T10:00:00.000Z" } },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params,
  headers: IfMatchHeaders,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id that the endpoint had." }),
      deleted: Deleted,
    }).annotate({ description: "The deleted endpoint." }),
  }),
  error: [EndpointNotFound, EndpointChanged, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Delete a webhook endpoint",
    description: "Deletes the endpoint with its deliveries; pending deliveries are not attempted. A repeat gets 404.",
    answer: { ok: true, data: { id: ENDPOINT_ID, deleted: true } },
  }),
);

const enable = HttpApiEndpoint.post("enable", "/:id/enable", {
  params,
  success: oneEndpoint,
  error: [EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Enable a webhook endpoint",
    description: "Delivers events from now on. Held events stay held until a replay. A repeat changes nothing.",
    answer: { ok: true, data: ENDPOINT },
  }),
);

const disable = HttpApiEndpoint.post("disable", "/:id/disable", {
  params,
  success: oneEndpoint,
  error: [EndpointNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Disable a webhook endpoint",
    description: "Stops deliveries; events are held for 14 days, for a replay. A repeat changes nothing.",
    answer: {
      ok: true,
      data: { ...ENDPOINT, enabled: false, disabledAt: "2026-03-02T10:00:00.000Z", disabledReason: "owner" },
    },
  }),
);

/** Webhook endpoints (spec 7.6). */
export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(create, list, eventTypes, get, change, remove, enable, disable)
  .add(test, rotate, deliveries, resend, replay)
  .prefix("/api/settings/webhooks")
  .middleware(EndpointAuthorization)
  .annotate(OpenApi.Title, "Webhooks")
  .annotate(OpenApi.Description, "Manage the receivers of events, inspect deliveries, and send events again.") {}
