import { Schema } from "effect";

/** A webhook URL that may not be contacted (400 at save, decisions 7); `URL_REFUSALS` has the words for it. */
export class EndpointUrlRefused extends Schema.TaggedError<EndpointUrlRefused>()("EndpointUrlRefused", {
  reason: Schema.Literals(["malformed", "too_long", "not_https", "userinfo", "name", "address", "unknown_name"]),
}) {}
