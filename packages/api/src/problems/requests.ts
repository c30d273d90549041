import { Schema } from "effect";
import { badRequest, problem } from "./problem.ts";

/** 400: a field is missing, of the wrong type or out of range. */
export class InvalidRequest extends badRequest<InvalidRequest>()(
  "invalid_request",
  "The request is not valid",
  "A field is missing, unknown, of the wrong type or out of range. Correct every field that errors names, then repeat the request.",
  { field: "to", message: "is required" },
) {}

/** 400: the request has a token and a cookie, which may belong to two accounts. */
export class TwoCredentials extends badRequest<TwoCredentials>()(
  "two_credentials",
  "Send a bearer token or the session cookie, not both",
  "The token and the cookie may belong to different accounts. Leave one of them out.",
  { field: "Authorization", message: "must not be sent together with the session cookie" },
) {}

/** 403: a request with the session cookie did not come from a page of the service (spec 3). */
export class CrossSiteRequest extends problem<CrossSiteRequest>()(
  "cross_site_request",
  403,
  "The request did not come from a page of the service",
  "A request that changes something with the session cookie needs Sec-Fetch-Site: same-origin or the Origin of the service. Call from a page of the service, or send a token in place of the cookie.",
) {}

/** 403: the request needs https, because over plain http the cookie could be read in transit (spec 3). */
export class HttpsRequired extends problem<HttpsRequired>()(
  "https_required",
  403,
  "Browsers can sign in over https only",
  "The cookie could be read in transit. Serve Postern over https, such as through a proxy, and set BASE_URL to the https:// address; or sign in for a token with POST /api/auth/mobile-login.",
) {}

/** 404: the path does not exist. */
export class PathNotFound extends problem<PathNotFound>()(
  "not_found",
  404,
  "Not found",
  "The service has no such path. Check the path: /openapi.json lists all paths of the API.",
) {}

/** 405: the `Allow` header lists the methods of the path. */
export class MethodNotAllowed extends problem<MethodNotAllowed>()(
  "method_not_allowed",
  405,
  "This path does not allow this method",
  "The path has other methods. Use one of those that the header Allow lists.",
) {}

/** 413: the body is too large; `detail` names the limit. */
export class PayloadTooLarge extends problem<PayloadTooLarge>()(
  "payload_too_large",
  413,
  "The request body is too large",
  "The body, a file or the message is larger than the service accepts. Send less; GET /api/limits has the limits.",
  {
    id: Schema.optionalKey(
      Schema.String.annotate({
        description: "Id of the message in the outbox, if it was accepted before its mail server refused the size.",
        examples: ["out_6Ja34Dr7XnZ1G-uuezwBXw"],
      }),
    ),
  },
) {}

/** 416: the range is outside the content; `Content-Range` has its size (RFC 9110, 15.5.17). */
export class RangeUnsatisfiable extends problem<RangeUnsatisfiable>()(
  "range_not_satisfiable",
  416,
  "The range begins after the last byte",
  "The header Content-Range gives the number of bytes. Ask for a range that begins before the last one.",
) {}

/** 415: the media type is not supported; `detail` names the right one. */
export class UnsupportedMediaType extends problem<UnsupportedMediaType>()(
  "unsupported_media_type",
  415,
  "The media type of the body is not supported",
  "Send the body as application/json, or as multipart/form-data for an upload.",
) {}

/** 429 with `Retry-After`: an account or a key has the maximum number of requests in progress (spec 8). */
export class TooManyRequests extends problem<TooManyRequests>()(
  "too_many_requests",
  429,
  "Too many requests of this account or key are in progress",
  "The account or the service key has the maximum number of requests in progress. Wait for their answers, then retry " +
    "after the seconds given in Retry-After.",
) {}

/** 500: a fault of the service; the request id identifies it in the log. */
export class InternalError extends problem<InternalError>()(
  "internal_error",
  500,
  "The service failed",
  "This is a fault of the service. Report the request id to the operator: it finds the cause in the log.",
) {}

/** 503 with `Retry-After`: the service is starting or stopping, or its database does not answer (spec 8). */
export class NotReady extends problem<NotReady>()(
  "not_ready",
  503,
  "The service is not ready for requests",
  "The process is starting or stopping, or its database does not answer. Retry after the seconds given in Retry-After.",
  {
    unreachable: Schema.optionalKey(Schema.Array(Schema.Literals(["database", "imap", "smtp"]))).annotate({
      description: "What `/health/ready` found unreachable: the database, and mail servers of the deployment.",
      examples: [["database"]],
    }),
  },
) {}

/** 503 with `Retry-After`: more requests are in progress than this process accepts (spec 8). */
export class Overloaded extends problem<Overloaded>()(
  "overloaded",
  503,
  "Too many requests are in progress",
  "The process has the maximum number of requests in progress. Retry after the seconds given in Retry-After.",
) {}
