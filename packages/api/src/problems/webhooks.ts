import { Schema } from "effect";
import { problem } from "./problem.ts";

/** 404: the account has no such endpoint (spec 7). */
export class EndpointNotFound extends problem<EndpointNotFound>()(
  "endpoint_not_found",
  404,
  "Webhook endpoint not found",
  "The account has no webhook endpoint with this id. List the endpoints with GET /api/settings/webhooks.",
) {}

/** 409: the account has the maximum number of endpoints, which `detail` states. */
export class TooManyEndpoints extends problem<TooManyEndpoints>()(
  "too_many_endpoints",
  409,
  "The account has too many webhook endpoints",
  "The account has as many endpoints as GET /api/limits allows. Delete one, then create the new one.",
) {}

/** 409: the endpoint has another version (spec 2.7). */
export class EndpointChanged extends problem<EndpointChanged>()(
  "endpoint_changed",
  409,
  "The endpoint was changed meanwhile",
  "Nothing was changed: the endpoint no longer has the version in If-Match. Read it with GET /api/settings/webhooks/{id}, then repeat the request with its version.",
) {}

/** 404: the endpoint has no such delivery. */
export class DeliveryNotFound extends problem<DeliveryNotFound>()(
  "delivery_not_found",
  404,
  "Delivery not found",
  "The endpoint has no delivery with this id; deliveries are kept for 14 days. List them with GET /api/settings/webhooks/{id}/deliveries.",
) {}

/** 409: the endpoint is disabled (spec 7). */
export class EndpointDisabled extends problem<EndpointDisabled>()(
  "endpoint_disabled",
  409,
  "This webhook endpoint is disabled",
  "Nothing is sent to a disabled endpoint. Enable it with POST /api/settings/webhooks/{id}/enable, then repeat the request.",
) {}

/** 422: the replay begins before the 14 days that events are kept (spec 7). */
export class ReplayTooOld extends problem<ReplayTooOld>()(
  "replay_too_old",
  422,
  "Events are kept for 14 days only",
  "The time in since is more than 14 days ago, and older events are deleted. Choose a later one.",
) {}

/** 409: the mailbox is not watched, so its feed would stay empty (spec 7.10). */
export class NotFollowed extends problem<NotFollowed>()(
  "not_followed",
  409,
  "The mailbox is not watched",
  "Nothing watches this mailbox, so its feed would stay empty. Create a webhook endpoint that reaches it, or open its stream of events, then read the feed again.",
) {}

/** 410: events after the position are no longer kept (spec 7.10). */
export class FeedExpired extends problem<FeedExpired>()(
  "feed_expired",
  410,
  "Events after this position are no longer kept",
  "Events are kept for 14 days, and a database that was restored begins another feed. List the mailboxes again, and continue from next.",
  {
    next: Schema.String.annotate({
      description: "The present end of the feed: `after` of the next request.",
      examples: ["3f6c1d2e.4711"],
    }),
  },
) {}
