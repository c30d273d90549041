import { PosternApi } from "@postern/api";
import { Entropy } from "@postern/core/shared";
import { Fingerprints } from "@postern/core/auth";
import { ByteSize, Cause, Context, Effect, Metric, References } from "effect";
import {
  Headers,
  HttpIncomingMessage,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
} from "effect/http";
import { OpenApi } from "effect/http-api";
import { cookieFault, maxRequestBytes, problemOfCause, problemOfResponse } from "./refusals.ts";
import { notReady, overloaded, tooManyRequests } from "../problems/requests.ts";
import { respond } from "./respond.ts";
import { PublicAddress } from "./PublicAddress.ts";
import { ACCOUNT_SHARE, countOverShare, countShed, InFlight, KEY_SHARE } from "./InFlight.ts";
import { RequestId } from "../wire/RequestId.ts";
import { RequestRecord, type RequestRecordFields } from "../wire/RequestRecord.ts";
import { securityHeaders } from "./security-headers.ts";

/** The form of an accepted request id from a client or proxy: short, and safe to log. */
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** The paths of probes and metrics, which are answered under overload too. */
const NEVER_SHED = /^\/(health\/|metrics)/;

/** The credential of a service key. */
const SERVICE_KEY = /^bearer +psk_/i;

/** The status logged for a client that disconnected before the response, as nginx logs it. */
const CLIENT_CLOSED = 499;

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, never>;
type Request = HttpServerRequest.HttpServerRequest;

/**
 * The middleware around every request (spec 2, 8). It assigns the request id, counts and logs the request, and refuses
 * the request when too many are in flight. It replaces the framework's own error responses by problems, and sets the
 * headers of every response. A page that needs other headers sets these itself.
 */
export const Edge = HttpRouter.middleware(
  Effect.gen(function* () {
    const entropy = yield* Entropy;
    const fingerprints = yield* Fingerprints;
    const { https, origin, prefix, sessionCookie, maxRequestsInFlight } = yield* PublicAddress;
    const headers = Headers.fromInput({
      ...securityHeaders({ strictTransport: https && prefix === "" }),
      "postern-version": Context.getUnsafe(PosternApi.annotations, OpenApi.Version),
    });
    const inFlight = yield* InFlight;

    const admitted = (request: Request, requestId: string, mayEnter: boolean, app: App) => {
      const fault = cookieFault(request, sessionCookie, origin, requestId);
      if (fault !== undefined) return HttpServerRespondable.toResponse(fault);
      if (NEVER_SHED.test(request.url)) return app;
      if (!mayEnter) return Effect.andThen(countOverShare, respond(tooManyRequests(requestId)));
      if (inFlight.count <= maxRequestsInFlight) return app;
      return Effect.andThen(countShed, respond(overloaded(requestId)));
    };

    const finish = (request: Request, { account, keyId }: RequestRecordFields, status: number, began: number) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const ms = Math.round((performance.now() - began) * 10) / 10;
        const { method } = request;
        const route = routeOf(context);
        durationOf(METHODS.has(method) ? method : "other", route, status).updateUnsafe(ms / 1000, context);
        return Effect.logInfo("request", {
          method,
          route,
          status,
          ms,
          ...(account === undefined ? {} : { account: fingerprints.ofAccount(account) }),
          ...(keyId === undefined ? {} : { key: keyId }),
        });
      });

    const answered = (request: Request, requestId: string, record: RequestRecordFields, app: App) =>
      Effect.suspend(() => {
        const began = performance.now();
        inFlight.count++;
        // Finding the account costs work, so the requests of each credential are limited first.
        const credential = request.headers["authorization"] ?? request.headers["cookie"];
        const share = SERVICE_KEY.test(credential ?? "") ? KEY_SHARE : ACCOUNT_SHARE;
        const mayEnter = credential === undefined || inFlight.enter(credential, share);
        const leave = Effect.sync(() => {
          inFlight.count--;
          if (credential !== undefined && mayEnter) inFlight.leave(credential);
        });
        return Effect.catchCause(admitted(request, requestId, mayEnter, app), (cause) =>
          isClientGone(cause)
            ? Effect.andThen(finish(request, record, CLIENT_CLOSED, began), Effect.failCause(cause))
            : answerCause(cause, request, requestId),
        ).pipe(
          Effect.flatMap((response) => withProblem(response, requestId, request.url)),
          Effect.flatMap((response) => {
            const all = Headers.merge(headers, response.headers);
            return Effect.as(
              finish(request, record, response.status, began),
              HttpServerResponse.setHeaders(response, Headers.set(all, "x-request-id", requestId)),
            );
          }),
          Effect.ensuring(leave),
        );
      });

    return (app) =>
      Effect.flatMap(Effect.map(HttpServerRequest.HttpServerRequest, withNamedAccount), (request) =>
        Effect.flatMap(requestIdOf(request, entropy), (requestId) => {
          const record: RequestRecordFields = { account: undefined, keyId: undefined };
          return Effect.updateContext(answered(request, requestId, record, app), (context: Context.Context<never>) =>
            context.pipe(
              Context.add(HttpServerRequest.HttpServerRequest, request),
              Context.add(RequestId, requestId),
              Context.add(RequestRecord, record),
              Context.add(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxRequestBytes(request.url))),
              Context.add(References.CurrentLogAnnotations, { requestId }),
            ),
          );
        }),
      );
  }),
  { global: true },
);

/** The parameter that names the account where a browser cannot set the header: in links, pictures and event streams. */
const ACCOUNT_PARAMETER = "postern-account";

/**
 * If the query of a request names an account (spec 3.5), returns the request with this account in the header
 * `Postern-Account`. Only a GET with a cookie may name the account in its query, because other clients can set the
 * header.
 */
const withNamedAccount = (request: Request): Request => {
  const { headers, method, url } = request;
  if (method !== "GET" || headers["cookie"] === undefined || !url.includes(`${ACCOUNT_PARAMETER}=`)) return request;
  const [path, query = ""] = url.split("?", 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  const named = parameters.get(ACCOUNT_PARAMETER);
  if (named === null || headers[ACCOUNT_PARAMETER] !== undefined) return request;
  parameters.delete(ACCOUNT_PARAMETER);
  const rest = parameters.size === 0 ? "" : `?${parameters.toString()}`;
  return request.modify({ url: path + rest, headers: { ...headers, [ACCOUNT_PARAMETER]: named } });
};

const requestIdOf = (request: Request, entropy: Entropy["Service"]): Effect.Effect<string> => {
  const given = request.headers["x-request-id"];
  return given !== undefined && CLIENT_REQUEST_ID.test(given) ? Effect.succeed(given) : entropy.id(96);
};

const withProblem = (response: HttpServerResponse.HttpServerResponse, requestId: string, url: string) => {
  const problem = problemOfResponse(response, requestId, url);
  return problem === undefined ? Effect.succeed(response) : HttpServerRespondable.toResponse(problem);
};

const isClientGone = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key));

const answerCause = (
  cause: Cause.Cause<unknown>,
  request: Request,
  requestId: string,
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  // Requests are interrupted only when the process ends.
  if (Cause.hasInterruptsOnly(cause)) return respond(notReady(requestId));
  const problem = problemOfCause(cause, requestId, request.url);
  const response = HttpServerRespondable.toResponse(problem);
  return problem.status === 500
    ? Effect.contextWith((context: Context.Context<never>) =>
        Effect.andThen(
          Effect.logError("request failed", { method: request.method, route: routeOf(context) }, cause),
          response,
        ),
      )
    : response;
};

/** Returns the pattern of the matched route, which contains no text of the client. */
const routeOf = (context: Context.Context<never>): string => {
  const matched = context.mapUnsafe.get(HttpRouter.RouteContext.key) as HttpRouter.RouteContext["Service"] | undefined;
  return matched?.route.path ?? "none";
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const duration = Metric.histogram("http_server_request_duration_seconds", {
  description: "From the request to the head of its answer",
  boundaries: SECONDS,
});

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** There is a histogram for each route, method and status, because a lookup by attributes costs more than an update. */
const durations = new Map<string, typeof duration>();

const durationOf = (method: string, route: string, status: number): typeof duration => {
  const key = `${method} ${route} ${status}`;
  let known = durations.get(key);
  if (known === undefined) {
    known = Metric.withAttributes(duration, { method, route, status: String(status) });
    durations.set(key, known);
  }
  return known;
};
