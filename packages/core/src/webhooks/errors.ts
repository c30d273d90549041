import { Schema } from "effect";

/** Postern may not contact the webhook URL (400 on save, spec 7); `URL_REFUSALS` has the messages. */
export class EndpointUrlRefused extends Schema.TaggedError<EndpointUrlRefused>()("EndpointUrlRefused", {
  reason: Schema.Literals(["malformed", "too_long", "not_https", "userinfo", "name", "address", "unknown_name"]),
}) {}

/** The account or application has the maximum number of endpoints (409). */
export class TooManyEndpoints extends Schema.TaggedError<TooManyEndpoints>()("TooManyEndpoints", {
  most: Schema.Number,
}) {}

/** The account or application has no such endpoint, or the key may not change it (404). */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()("EndpointNotFound", {}) {}

/** The client names a version of the endpoint that is not the current one (409, spec 2.7). */
export class EndpointChanged extends Schema.TaggedError<EndpointChanged>()("EndpointChanged", {}) {}

/** The endpoint has no such delivery (404). */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {}) {}

/** The endpoint is disabled and must first be enabled (409, spec 7). */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {}) {}

/** The replay begins before the 14 days that events are kept (422, spec 7). */
export class ReplayTooOld extends Schema.TaggedError<ReplayTooOld>()("ReplayTooOld", {}) {}
