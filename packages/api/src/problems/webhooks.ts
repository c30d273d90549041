import { problem } from "./problem.ts";

/** 404: the account has no such endpoint (spec 7). */
export class EndpointNotFound extends problem<EndpointNotFound>()(
  "endpoint_not_found",
  404,
  "There is no such webhook endpoint.",
) {}

/** 409: `detail` says how many; delete one first. */
export class TooManyEndpoints extends problem<TooManyEndpoints>()(
  "too_many_endpoints",
  409,
  "This account has as many webhook endpoints as it may.",
) {}

/** 404: the endpoint has no such delivery. */
export class DeliveryNotFound extends problem<DeliveryNotFound>()(
  "delivery_not_found",
  404,
  "There is no such delivery.",
) {}

/** 409: enable the endpoint first (spec 7). */
export class EndpointDisabled extends problem<EndpointDisabled>()(
  "endpoint_disabled",
  409,
  "This webhook endpoint is disabled.",
) {}

/** 422: events are kept for 14 days (spec 7). */
export class ReplayTooOld extends problem<ReplayTooOld>()(
  "replay_too_old",
  422,
  "Events are kept for 14 days: take a later `since`.",
) {}
