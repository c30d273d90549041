import type { StoreUnavailable } from "@postern/core/shared";
import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import { HttpEffect, HttpServerResponse } from "effect/http";
import type { HttpServerRequest } from "effect/http";
import { type DomainError, problemOf, type ProblemOf } from "./problem-of.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { RequestId } from "./RequestId.ts";

/** Seconds after which a client may ask again when something we depend on is down or busy (spec 2). */
const RETRY_AFTER = "5";

const CHALLENGE = 'Bearer realm="postern"';

/** Answers a use case's failures as problems, with the headers that go with them. */
export const answer = <A, E extends DomainError, R>(
  useCase: Effect.Effect<A, E, R>,
): Effect.Effect<A, ProblemOf<E>, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catch(useCase, (error) =>
    Effect.gen(function* () {
      if (error._tag === "TokenRejected" || error._tag === "RefreshReused")
        yield* setHeader("www-authenticate", CHALLENGE);
      if (error._tag === "TooManyLoginFailures") {
        yield* setHeader("retry-after", String(Math.ceil(error.retryAfter / 1000)));
      }
      if (error._tag === "SendInProgress" || error._tag === "SendUnconfirmed")
        yield* setHeader("retry-after", RETRY_AFTER);
      if (error._tag === "MailServerError" || error._tag === "StoreUnavailable") {
        const { _tag, ...what } = error;
        yield* Effect.logWarning(_tag, what);
        if (!isFinal(error)) yield* setHeader("retry-after", RETRY_AFTER);
      }
      if (error._tag === "SendRateExceeded") {
        for (const [name, value] of Object.entries(rateLimitHeaders(error))) yield* setHeader(name, value);
      }
      return yield* Effect.fail(problemOf(error, yield* RequestId));
    }),
  );

/** Whether asking again gets the same answer. */
const isFinal = (error: MailServerError | StoreUnavailable): boolean =>
  error._tag === "MailServerError" && (error.reason === "not_permitted" || error.reason === "over_quota");

/** Sets a header on the response of this request, whatever it will be. */
export const setHeader = (
  name: string,
  value: string,
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, value)),
  );
