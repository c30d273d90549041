import { Overloaded } from "@postern/api";
import { Entropy } from "@postern/core";
import { ByteSize, Cause, Context, Effect, References } from "effect";
import {
  Headers,
  HttpIncomingMessage,
  HttpRouter,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
} from "effect/http";
import { cookieFault } from "./cookie-fault.ts";
import { MAX_REQUEST_BYTES, problemOfCause, problemOfResponse } from "./framework-problem.ts";
import { PublicAddress } from "./PublicAddress.ts";
import { countAnswer, countShed, InFlight } from "./request-metrics.ts";
import { RequestId } from "./RequestId.ts";
import { securityHeaders } from "./security-headers.ts";

/** A request id a client or proxy may bring along: short, and safe to log. */
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/;

const MAX_BODY = ByteSize.bytes(MAX_REQUEST_BYTES);

/** Who watches over the service must be answered when it has too much to do. */
const NEVER_SHED = /^\/(health\/|metrics)/;

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, never>;

/**
 * The one middleware around everything (decisions 2 and 8): names and counts the request, refuses it where too many are
 * under way, answers what the framework would answer in its own words as a problem, and sets the headers of every
 * response. A page that needs other headers sets its own.
 */
export const Edge = HttpRouter.middleware(
  Effect.gen(function* () {
    const entropy = yield* Entropy;
    const { https, origin, sessionCookie, maxRequestsInFlight } = yield* PublicAddress;
    const headers = Headers.fromInput(securityHeaders({ https }));
    const inFlight = yield* InFlight;
    const leave = Effect.sync(() => void inFlight.count--);

    const admitted = (request: HttpServerRequest.HttpServerRequest, requestId: string, app: App) => {
      const fault = cookieFault(request, sessionCookie, origin, requestId);
      if (fault !== undefined) return HttpServerRespondable.toResponse(fault);
      if (inFlight.count <= maxRequestsInFlight || NEVER_SHED.test(request.url)) return app;
      const refusal = HttpServerRespondable.toResponse(new Overloaded({ requestId }));
      return Effect.andThen(countShed, Effect.map(refusal, HttpServerResponse.setHeader("retry-after", "1")));
    };

    const answered = (request: HttpServerRequest.HttpServerRequest, requestId: string, app: App) =>
      Effect.suspend(() => {
        const began = performance.now();
        inFlight.count++;
        return Effect.catchCause(admitted(request, requestId, app), (cause) =>
          answerCause(cause, request, requestId),
        ).pipe(
          Effect.flatMap((response) => inOurWords(response, requestId, request.url)),
          Effect.flatMap((response) =>
            Effect.contextWith((context: Context.Context<never>) => {
              countAnswer(request.method, response.status, performance.now() - began, context);
              const all = Headers.merge(headers, response.headers);
              return Effect.succeed(
                HttpServerResponse.setHeaders(response, Headers.set(all, "x-request-id", requestId)),
              );
            }),
          ),
          Effect.ensuring(leave),
        );
      });

    return (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.flatMap(requestIdOf(request, entropy), (requestId) =>
          Effect.updateContext(answered(request, requestId, app), (context: Context.Context<never>) =>
            context.pipe(
              Context.add(RequestId, requestId),
              Context.add(HttpIncomingMessage.MaxBodySize, MAX_BODY),
              Context.add(References.CurrentLogAnnotations, { requestId }),
            ),
          ),
        ),
      );
  }),
  { global: true },
);

const requestIdOf = (
  request: HttpServerRequest.HttpServerRequest,
  entropy: Entropy["Service"],
): Effect.Effect<string> => {
  const given = request.headers["x-request-id"];
  return given !== undefined && CLIENT_REQUEST_ID.test(given) ? Effect.succeed(given) : entropy.id(96);
};

const inOurWords = (response: HttpServerResponse.HttpServerResponse, requestId: string, url: string) => {
  const problem = problemOfResponse(response, requestId, url);
  return problem === undefined ? Effect.succeed(response) : HttpServerRespondable.toResponse(problem);
};

const answerCause = <E>(
  cause: Cause.Cause<E>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause);
  const problem = problemOfCause(cause, requestId);
  const respond = HttpServerRespondable.toResponse(problem);
  return problem.status === 500
    ? Effect.andThen(
        Effect.logError("request failed", { method: request.method, path: pathOf(request.url) }, cause),
        respond,
      )
    : respond;
};

/** Queries may carry what people search for; the log does without. */
const pathOf = (url: string): string => url.split("?", 1)[0]!;
