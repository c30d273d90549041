import { problem } from "./problems.ts";

/** 404: the account has no such endpoint (spec 7). */
export class EndpointMissing extends problem<EndpointMissing>()(
  "endpoint_not_found",
  404,
  "There is no such webhook endpoint.",
) {}

/** 409: `detail` says how many; delete one first. */
export class EndpointsExhausted extends problem<EndpointsExhausted>()(
  "too_many_endpoints",
  409,
  "This account has as many webhook endpoints as it may.",
) {}

/** 404: the endpoint has no such delivery. */
export class DeliveryMissing extends problem<DeliveryMissing>()(
  "delivery_not_found",
  404,
  "There is no such delivery.",
) {}

/** 409: enable the endpoint first (spec 7). */
export class EndpointOff extends problem<EndpointOff>()(
  "endpoint_disabled",
  409,
  "This webhook endpoint is disabled.",
) {}

/** 422: events are kept for 14 days (spec 7). */
export class ReplayBeyondRetention extends problem<ReplayBeyondRetention>()(
  "replay_too_old",
  422,
  "Events are kept for 14 days: take a later `since`.",
) {}
