import { badRequest, problem } from "./problem.ts";

/** 400: a field is missing, of the wrong type or out of range. */
export class InvalidRequest extends badRequest<InvalidRequest>()(
  "invalid_request",
  "The request is not valid",
  "A field is missing, unknown, of the wrong type or out of range. `errors` lists all faults: fix them and retry.",
) {}

/** 400: a token and a cookie may belong to two accounts. */
export class TwoCredentials extends badRequest<TwoCredentials>()(
  "two_credentials",
  "Send a bearer token or the session cookie, not both",
  "The two may belong to different accounts. Leave one out.",
) {}

/** 403: a request with the session cookie did not come from a page of the service (spec 3). */
export class CrossSiteRequest extends problem<CrossSiteRequest>()(
  "cross_site_request",
  403,
  "The request did not come from a page of the service",
  "A request that changes something with the session cookie needs `Sec-Fetch-Site: same-origin` or the exact `Origin`.",
) {}

/** 403: over plain http the cookie could be read in transit (spec 3). */
export class HttpsRequired extends problem<HttpsRequired>()(
  "https_required",
  403,
  "Browsers can sign in over https only",
  "`BASE_URL` is plain http and not on this machine. Serve Postern over https, or sign in with a token.",
) {}

/** 404: no such path. */
export class PathNotFound extends problem<PathNotFound>()(
  "not_found",
  404,
  "Not found",
  "The service has no such path. `/openapi.json` lists all paths.",
) {}

/** 405: the `Allow` header lists the methods of the path. */
export class MethodNotAllowed extends problem<MethodNotAllowed>()(
  "method_not_allowed",
  405,
  "This path does not allow this method",
  "The header `Allow` lists the methods of the path.",
) {}

/** 413: `detail` names the limit. */
export class PayloadTooLarge extends problem<PayloadTooLarge>()(
  "payload_too_large",
  413,
  "The request body is too large",
  "`detail` names the limit; `GET /api/limits` has all of them.",
) {}

/** 416: `Content-Range` says how many bytes there are (RFC 9110, 15.5.17). */
export class RangeUnsatisfiable extends problem<RangeUnsatisfiable>()(
  "range_not_satisfiable",
  416,
  "The range begins after the last byte",
  "The header `Content-Range` says how many bytes there are.",
) {}

/** 415; `detail` names the media type to send. */
export class UnsupportedMediaType extends problem<UnsupportedMediaType>()(
  "unsupported_media_type",
  415,
  "The media type of the body is not supported",
  "`detail` names the media type to send: `application/json`, or `multipart/form-data` for an upload.",
) {}

/** 429 with `Retry-After`: one account has as many requests in progress as it may have at once (spec 8). */
export class TooManyRequests extends problem<TooManyRequests>()(
  "too_many_requests",
  429,
  "Too many requests of this account are in progress",
  "Wait for answers before you send more requests. Retry after `Retry-After` seconds.",
) {}

/** 500: a fault of the service; the request id finds it in the log. */
export class InternalError extends problem<InternalError>()(
  "internal_error",
  500,
  "The service failed",
  "This is a fault of the service. Report it with the request id, which finds it in the log.",
) {}

/** 503 with `Retry-After`: starting, stopping, or its database does not answer (spec 8). */
export class NotReady extends problem<NotReady>()(
  "not_ready",
  503,
  "The service is not ready for requests",
  "The process is starting or stopping, or its database does not answer. Retry after `Retry-After` seconds.",
) {}

/** 503 with `Retry-After`: more requests are in progress than this process accepts (spec 8). */
export class Overloaded extends problem<Overloaded>()(
  "overloaded",
  503,
  "Too many requests are in progress",
  "The process has as many requests as it accepts. Retry after `Retry-After` seconds.",
) {}
