import { InternalError, InvalidRequest, PathNotFound, PayloadTooLarge, UnsupportedMediaType } from "@postern/api";
import { Cause } from "effect";
import { HttpServerError, type HttpServerResponse } from "effect/http";

/** The largest body of a JSON request in bytes, unless it may contain files. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** The largest body of a request that may contain files as base64. */
const MAX_MESSAGE_REQUEST_BYTES = 8 * MAX_REQUEST_BYTES;

/** Requests whose body is a message, which may contain files. */
const MESSAGES = /^\/api\/(send|drafts)([/?]|$)/;

/** Returns the largest body in bytes of a request for this URL. */
export const maxRequestBytes = (url: string): number =>
  MESSAGES.test(url) ? MAX_MESSAGE_REQUEST_BYTES : MAX_REQUEST_BYTES;

/** Returns the problem in place of the framework's own response when a handler was not reached or failed. */
export const problemOfCause = (cause: Cause.Cause<unknown>, requestId: string, url: string) => {
  const reason = httpReason(cause);
  if (reason?._tag === "RouteNotFound") return new PathNotFound({ requestId });
  if (reason?._tag !== "RequestParseError") return new InternalError({ requestId });
  return reason.reason === "BodyTooLarge"
    ? new PayloadTooLarge({
        requestId,
        detail: `A request body may have at most ${maxRequestBytes(url)} bytes. Send less; upload files with POST /api/uploads.`,
      })
    : new InvalidRequest({ requestId, errors: [{ field: "body", message: "could not be read" }] });
};

const httpReason = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause);
  return HttpServerError.isHttpServerError(error) ? error.reason : undefined;
};

/** Requests whose body is a form. */
const FORMS = /^\/api\/uploads(\?|$)/;

/**
 * Returns the problem in place of a plain response of the framework that is not a failure, to a request for this URL.
 */
export const problemOfResponse = (response: HttpServerResponse.HttpServerResponse, requestId: string, url: string) => {
  if (response.status !== 415) return undefined;
  const detail = FORMS.test(url)
    ? "Send multipart/form-data with the file in its field `file`."
    : "Send the body as application/json.";
  return new UnsupportedMediaType({ requestId, detail });
};
