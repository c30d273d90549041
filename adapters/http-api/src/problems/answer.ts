import { AccountNeedsReauth } from "@postern/core/accounts";
import { Effect } from "effect";
import { HttpEffect, HttpServerResponse } from "effect/http";
import type { HttpServerRequest } from "effect/http";
import { answerOf, type DomainError, type ProblemOf } from "./answer-of.ts";
import type { Answer } from "./table.ts";
import { RequestId } from "../wire/RequestId.ts";
import { RequestRecord } from "../wire/RequestRecord.ts";

/** Converts the failures of a use case into problems with their headers; `folder` is the field that names a folder. */
export const answer = <A, E extends DomainError, R>(
  useCase: Effect.Effect<A, E, R>,
  folder = "folder",
): Effect.Effect<A, ProblemOf<E>, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catch(useCase, (error) =>
    Effect.gen(function* () {
      if (error._tag === "MailServerError" || error._tag === "StoreUnavailable") {
        const { _tag, ...what } = error;
        yield* Effect.logWarning(_tag, what);
      }
      return yield* refuse(answerOf(yield* forHolder(error), yield* RequestId, folder));
    }),
  );

/**
 * Returns the error for the holder of the credential. For an application, 401 means that its key is bad, so a refused
 * mailbox password is reported as a state of the account (spec 10.2). The problem for this state is among the problems
 * of `Authorization`.
 */
const forHolder = <E extends DomainError>(error: E): Effect.Effect<E> =>
  Effect.map(RequestRecord, ({ keyId }) =>
    keyId !== undefined && error._tag === "MailboxCredentialsRejected"
      ? (new AccountNeedsReauth() as DomainError as E)
      : error,
  );

/** Fails with a problem and sets its headers on the response of this request. */
export const refuse = <Problem>({
  problem,
  headers = {},
}: Answer<Problem>): Effect.Effect<never, Problem, HttpServerRequest.HttpServerRequest> =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, headers)),
    ),
    Effect.fail(problem),
  );

/** Sets a header on the response of this request, whether it succeeds or fails. */
export const setHeader = (
  name: string,
  value: string,
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, value)),
  );
