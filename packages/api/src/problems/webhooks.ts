import { problem } from "./problem.ts";

/** 404: the account has no such endpoint (spec 7). */
export class EndpointNotFound extends problem<EndpointNotFound>()(
  "endpoint_not_found",
  404,
  "Webhook endpoint not found",
  "The account has no webhook endpoint with this id. List the endpoints with GET /api/settings/webhooks.",
) {}

/** 409: `detail` says how many; delete one first. */
export class TooManyEndpoints extends problem<TooManyEndpoints>()(
  "too_many_endpoints",
  409,
  "The account has too many webhook endpoints",
  "The account has as many endpoints as GET /api/limits allows. Delete one, then create the new one.",
) {}

/** 409: the version is not the current one (spec 2.7). */
export class EndpointChanged extends problem<EndpointChanged>()(
  "endpoint_changed",
  409,
  "The endpoint was changed meanwhile",
  "Nothing was changed: the endpoint is not the version in If-Match any more. Read it with GET /api/settings/webhooks/{id}, then repeat the request with its version.",
) {}

/** 404: the endpoint has no such delivery. */
export class DeliveryNotFound extends problem<DeliveryNotFound>()(
  "delivery_not_found",
  404,
  "Delivery not found",
  "The endpoint has no delivery with this id; deliveries are kept for 14 days. List them with GET /api/settings/webhooks/{id}/deliveries.",
) {}

/** 409: enable the endpoint first (spec 7). */
export class EndpointDisabled extends problem<EndpointDisabled>()(
  "endpoint_disabled",
  409,
  "This webhook endpoint is disabled",
  "Nothing is sent to a disabled endpoint. Enable it with POST /api/settings/webhooks/{id}/enable, then repeat the request.",
) {}

/** 422: events are kept for 14 days (spec 7). */
export class ReplayTooOld extends problem<ReplayTooOld>()(
  "replay_too_old",
  422,
  "Events are kept for 14 days only",
  "The time in since is more than 14 days ago, and older events are deleted. Choose a later one.",
) {}
