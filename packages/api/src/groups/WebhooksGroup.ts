import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest } from "../problems/requests.ts";
import {
  DeliveryNotFound,
  EndpointDisabled,
  EndpointNotFound,
  ReplayTooOld,
  TooManyEndpoints,
} from "../problems/webhooks.ts";
import {
  AnnouncedSecret,
  DeliveryState,
  NewWebhookEndpoint,
  Overlap,
  ReplayOrder,
  ReplayTicket,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
  WebhookEventType,
  WebhookTestResult,
} from "../webhook-records.ts";
import { Ok, PositiveInt, Text, textUpTo } from "../wire.ts";

const params = { id: textUpTo(128) };
const oneEndpoint = Schema.Struct({ ok: Ok, data: WebhookEndpoint });

const create = HttpApiEndpoint.post("create", "/", {
  payload: NewWebhookEndpoint,
  success: Schema.Struct({ ok: Ok, data: WebhookEndpointWithSecret }),
  error: [InvalidRequest, TooManyEndpoints, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Add an endpoint; the answer has its secret, once");

const list = HttpApiEndpoint.get("list", "/", {
  success: Schema.Struct({ ok: Ok, data: Schema.Array(WebhookEndpoint), nextCursor: Schema.Null }),
  error: StoreUnavailable,
}).annotate(OpenApi.Summary, "List the endpoints, oldest first");

const eventTypes = HttpApiEndpoint.get("eventTypes", "/event-types", {
  success: Schema.Struct({ ok: Ok, data: Schema.Array(WebhookEventType), nextCursor: Schema.Null }),
}).annotate(OpenApi.Summary, "List the kinds of events, with schema and sample");

const get = HttpApiEndpoint.get("get", "/:id", {
  params,
  success: oneEndpoint,
  error: [EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Read an endpoint");

const change = HttpApiEndpoint.patch("change", "/:id", {
  params,
  payload: WebhookEndpointChange,
  success: oneEndpoint,
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Change an endpoint; what is due already goes by the new settings");

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params,
  success: Schema.Struct({ ok: Ok, data: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }) }),
  error: [EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Delete an endpoint with all that is due to it");

const enable = HttpApiEndpoint.post("enable", "/:id/enable", {
  params,
  success: oneEndpoint,
  error: [EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Enable an endpoint; what was held waits for a replay");

const disable = HttpApiEndpoint.post("disable", "/:id/disable", {
  params,
  success: oneEndpoint,
  error: [EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Disable an endpoint; events are held");

const test = HttpApiEndpoint.post("test", "/:id/test", {
  params,
  payload: [Schema.Struct({ event: Schema.optionalKey(Text) }), Schema.Null],
  success: Schema.Struct({ ok: Ok, data: WebhookTestResult }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Send a sample event at once, and say what came of it; nothing changes");

const rotate = HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
  params,
  payload: [Schema.Struct({ overlap: Schema.optionalKey(Overlap) }), Schema.Null],
  success: Schema.Struct({ ok: Ok, data: AnnouncedSecret }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "Announce a new secret");

const deliveries = HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
  params,
  query: {
    state: Schema.optionalKey(DeliveryState),
    event: Schema.optionalKey(Text),
    cursor: Schema.optionalKey(textUpTo(128)),
    limit: Schema.optionalKey(PositiveInt.annotate({ description: "Default 50, at most 200." })),
  },
  success: Schema.Struct({ ok: Ok, data: Schema.Array(WebhookDelivery), nextCursor: Schema.NullOr(Schema.String) }),
  error: [InvalidRequest, EndpointNotFound, StoreUnavailable],
}).annotate(OpenApi.Summary, "List deliveries with their attempts, newest first");

const resend = HttpApiEndpoint.post("resend", "/:id/deliveries/:deliveryId/resend", {
  params: { ...params, deliveryId: textUpTo(128) },
  success: Schema.Struct({ ok: Ok, data: WebhookDelivery }),
  error: [EndpointNotFound, DeliveryNotFound, EndpointDisabled, StoreUnavailable],
}).annotate(OpenApi.Summary, "Send an event once more: one attempt, no ladder");

const replay = HttpApiEndpoint.post("replay", "/:id/replay", {
  params,
  payload: ReplayOrder,
  success: Schema.Struct({ ok: Ok, data: ReplayTicket }).annotate({ httpApiStatus: 202 }),
  error: [InvalidRequest, EndpointNotFound, EndpointDisabled, ReplayTooOld, StoreUnavailable],
}).annotate(OpenApi.Summary, "Bring held and exhausted events again; asking twice gives one set");

/** Webhook endpoints (spec 7.2). */
export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(create, list, eventTypes, get, change, remove, enable, disable)
  .add(test, rotate, deliveries, resend, replay)
  .prefix("/api/settings/webhooks")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "Where events go, what went there, and sending it again.") {}
