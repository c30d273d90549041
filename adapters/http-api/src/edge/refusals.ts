import {
  CrossSiteRequest,
  InternalError,
  InvalidRequest,
  PathNotFound,
  PayloadTooLarge,
  ReadLeniently,
  TwoCredentials,
  UnsupportedMediaType,
} from "@postern/api";
import { type FieldFault, fieldOf, MAX_FAULTS } from "@postern/core/shared";
import { HttpMethod, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http";
import { Cause, Context, Effect } from "effect";
import type { HttpApiEndpoint } from "effect/http-api";
import { holdsSession, type SessionCookie } from "./session-cookie.ts";
import { excessPath, MAX_VALUES } from "./excess-values.ts";
import { RequestId } from "../wire/RequestId.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns the problem with the way a request presents session cookies (spec 3); undefined without such a cookie or a
 * problem. This check runs first, because browsers send the cookie with requests from other sites too.
 */
export const cookieFault = (
  { cookies, headers, method }: HttpServerRequest.HttpServerRequest,
  cookie: SessionCookie | undefined,
  origin: string,
  requestId: string,
): TwoCredentials | CrossSiteRequest | undefined => {
  if (cookie === undefined || headers["cookie"] === undefined) return undefined;
  if (!Object.keys(cookies).some((name) => holdsSession(cookie, name))) return undefined;
  if (headers["authorization"] !== undefined) {
    return new TwoCredentials({
      requestId,
      errors: [{ field: "Authorization", message: "must not be sent together with the session cookie" }],
    });
  }
  const isOurs = headers["sec-fetch-site"] === "same-origin" || headers["origin"] === origin;
  return SAFE_METHODS.has(method) || isOurs ? undefined : new CrossSiteRequest({ requestId });
};

/** The largest body of a JSON request in bytes, unless it may contain files. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** The largest body of a request that may contain files as base64. */
const MAX_MESSAGE_REQUEST_BYTES = 8 * MAX_REQUEST_BYTES;

/** Requests whose body is a message, which may contain files. */
const MESSAGES = /^\/api\/(send|drafts)([/?]|$)/;

/** Returns the largest body in bytes of a request for this URL. */
export const maxRequestBytes = (url: string): number =>
  MESSAGES.test(url) ? MAX_MESSAGE_REQUEST_BYTES : MAX_REQUEST_BYTES;

/** Returns the problem that replaces the framework's own response when a handler was not reached or failed. */
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

/** Returns the problem that replaces a plain error response of the framework (not a failure) for this URL. */
export const problemOfResponse = (response: HttpServerResponse.HttpServerResponse, requestId: string, url: string) => {
  if (response.status !== 415) return undefined;
  const detail = FORMS.test(url)
    ? "Send multipart/form-data with the file in its field `file`."
    : "Send the body as application/json.";
  return new UnsupportedMediaType({ requestId, detail });
};

export const UNKNOWN_PARAMETER = "is not a parameter of this request";
export const UNKNOWN_MEMBER = "is not a field of this request";

/**
 * Refuses input that the contract's decoders ignore: parameters for an operation without a query, and members for an
 * operation without a body. Also refuses too many values, which would take too long to check (spec 2).
 */
export const readStrictly = ({ annotations, payload, query }: HttpApiEndpoint.Top) => {
  if (Context.get(annotations, ReadLeniently)) return Effect.void;
  const parameters = query === undefined ? unknownParameters : NOTHING;
  const body = payload.size === 0 ? unknownMembers : payload.has("application/json") ? crowd : NOTHING;
  return Effect.gen(function* () {
    const faults = [...(yield* parameters), ...(yield* body)];
    if (faults.length === 0) return;
    return yield* new InvalidRequest({ requestId: yield* RequestId, errors: faults.slice(0, MAX_FAULTS) });
  });
};

const NOTHING: Effect.Effect<ReadonlyArray<FieldFault>> = Effect.succeed([]);

const fault = (path: ReadonlyArray<string>, message: string): FieldFault => ({ field: fieldOf(path), message });

const unknownParameters = Effect.map(HttpServerRequest.ParsedSearchParams, (given) =>
  Object.keys(given).map((name) => fault([name], UNKNOWN_PARAMETER)),
);

const textOfBody = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, method, text }) => {
  const hasBody =
    HttpMethod.hasBody(method) ||
    headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > 0;
  return hasBody ? Effect.orDie(text) : Effect.succeed("");
});

const unknownMembers = Effect.map(textOfBody, (text): ReadonlyArray<FieldFault> => {
  const body = text === "" ? null : parseJson(text);
  if (body === null) return [];
  return typeof body === "object" && !Array.isArray(body)
    ? Object.keys(body).map((name) => fault([name], UNKNOWN_MEMBER))
    : [fault([], "must be empty")];
});

const crowd = Effect.map(textOfBody, (text): ReadonlyArray<FieldFault> => {
  // Each value takes at least two characters.
  const place = text.length < 2 * MAX_VALUES ? undefined : excessPath(parseJson(text));
  return place === undefined ? [] : [fault(place, `must have at most ${MAX_VALUES} values`)];
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
