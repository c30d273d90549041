import { badRequest, problem } from "./problem.ts";

/** 400: a field is missing, of the wrong type or out of range. */
export class InvalidRequest extends badRequest<InvalidRequest>()("invalid_request", "The request is not valid.") {}

/** 400: a token and a cookie may be of two people. */
export class TwoCredentials extends badRequest<TwoCredentials>()(
  "two_credentials",
  "Send a bearer token or the session cookie, not both.",
) {}

/** 403: a request with the session cookie did not come from a page of the service (spec 3). */
export class CrossSiteRequest extends problem<CrossSiteRequest>()(
  "cross_site_request",
  403,
  "This did not come from a page of the service.",
) {}

/** 403: over plain http the cookie could be read on the way (spec 3). */
export class HttpsRequired extends problem<HttpsRequired>()("https_required", 403, "Browsers sign in by https only.") {}

/** 404: no such path. */
export class PathNotFound extends problem<PathNotFound>()("not_found", 404, "There is nothing at this path.") {}

/** 405: the `Allow` header lists what the path takes. */
export class MethodNotAllowed extends problem<MethodNotAllowed>()(
  "method_not_allowed",
  405,
  "This path does not take this method.",
) {}

/** 413: `detail` names the limit. */
export class PayloadTooLarge extends problem<PayloadTooLarge>()(
  "payload_too_large",
  413,
  "The request body is too large.",
) {}

/** 416: `Content-Range` says how many bytes there are (RFC 9110, 15.5.17). */
export class RangeUnsatisfiable extends problem<RangeUnsatisfiable>()(
  "range_not_satisfiable",
  416,
  "There are not that many bytes.",
) {}

/** 415; `detail` says what the request takes. */
export class UnsupportedMediaType extends problem<UnsupportedMediaType>()(
  "unsupported_media_type",
  415,
  "This request takes no body of this media type.",
) {}

/** 429 with `Retry-After`: one account has as many requests under way as it may have at once (spec 8). */
export class TooManyRequests extends problem<TooManyRequests>()(
  "too_many_requests",
  429,
  "Too many requests of this account are under way",
) {}

/** 500: our own fault; the request id finds it in the log. */
export class InternalError extends problem<InternalError>()("internal_error", 500, "Something went wrong here.") {}

/** 503 with `Retry-After`: starting, stopping, or its database does not answer (spec 8). */
export class NotReady extends problem<NotReady>()("not_ready", 503, "This process does not take requests now.") {}

/** 503 with `Retry-After`: more requests are under way than this process takes on (spec 8). */
export class Overloaded extends problem<Overloaded>()("overloaded", 503, "Too many requests are under way here.") {}
