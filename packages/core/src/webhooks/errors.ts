import { Schema } from "effect";

/** A webhook URL that may not be contacted (400 at save, spec 7); `URL_REFUSALS` has the words for it. */
export class EndpointUrlRefused extends Schema.TaggedError<EndpointUrlRefused>()("EndpointUrlRefused", {
  reason: Schema.Literals(["malformed", "too_long", "not_https", "userinfo", "name", "address", "unknown_name"]),
}) {}

/** Kinds of events there are none of, by the fields that name them (400). */
export class EventTypesUnknown extends Schema.TaggedError<EventTypesUnknown>()("EventTypesUnknown", {
  fields: Schema.Array(Schema.String),
}) {}

/** The account has as many endpoints as it may (409). */
export class TooManyEndpoints extends Schema.TaggedError<TooManyEndpoints>()("TooManyEndpoints", {
  most: Schema.Number,
}) {}

/** The account has no such endpoint (404). */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()("EndpointNotFound", {}) {}

/** The endpoint has no such delivery (404). */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {}) {}

/** Nothing is sent to a disabled endpoint: enable it first (409, spec 7). */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {}) {}

/** Events are kept for 14 days (422, spec 7). */
export class ReplayTooOld extends Schema.TaggedError<ReplayTooOld>()("ReplayTooOld", {}) {}

/** A replay of no time at all (400). */
export class ReplayRangeInvalid extends Schema.TaggedError<ReplayRangeInvalid>()("ReplayRangeInvalid", {}) {}
