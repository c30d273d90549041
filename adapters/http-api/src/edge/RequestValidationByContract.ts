import {
  Authorization,
  EndpointAuthorization,
  InvalidRequest,
  KeyAuthorization,
  RequestValidation,
  SessionAuthorization,
} from "@postern/api";
import { type FieldFault, fieldFaults } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { HttpServerRequest } from "effect/http";
import { HttpApiError } from "effect/http-api";
import { jsonFault } from "./json-fault.ts";
import { nearestName } from "../wire/nearest-name.ts";
import { readStrictly, UNKNOWN_MEMBER, UNKNOWN_PARAMETER } from "./refusals.ts";
import { RequestId } from "../wire/RequestId.ts";

/**
 * Refuses invalid requests and names every invalid field (spec 2). If an operation requires a sign-in, unknown fields
 * are checked only after the authentication, so that an unauthenticated client learns nothing else.
 */
export const RequestValidationByContract = Layer.succeed(RequestValidation, (httpEffect, { endpoint }) => {
  const strict = AUTHORIZATIONS.some((authorization) => endpoint.middlewares.has(authorization))
    ? httpEffect
    : Effect.andThen(readStrictly(endpoint), httpEffect);
  return Effect.catch(strict, (error) =>
    HttpApiError.HttpApiSchemaError.is(error) ? Effect.flatMap(faultsOf(error), failInvalid) : Effect.fail(error),
  );
});

const AUTHORIZATIONS = [Authorization, EndpointAuthorization, SessionAuthorization, KeyAuthorization];

const failInvalid = (errors: ReadonlyArray<FieldFault>) =>
  Effect.flatMap(RequestId, (requestId) => Effect.fail(new InvalidRequest({ requestId, errors })));

/** Returns the faults of a request. A response that violates the contract is a defect. */
const faultsOf = (error: HttpApiError.HttpApiSchemaError) => {
  const { kind, cause } = error;
  if (kind === "Body" || kind === "ResponseHeaders") return Effect.die(error);
  // `InvalidValue` as the only issue means that the body is not JSON.
  if (kind === "Payload" && cause.issue._tag === "InvalidValue") return syntaxFault;
  return Effect.succeed(
    kind === "Query"
      ? fieldFaults(cause.issue, withNearest(UNKNOWN_PARAMETER)).map(givenOnce)
      : fieldFaults(cause.issue, withNearest(UNKNOWN_MEMBER)),
  );
};

/** Adds the known field name that most resembles an unknown one. */
const withNearest = (unknown: string) => (name: string, known: ReadonlyArray<string>) => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? unknown : `${unknown}; do you mean ${nearest}?`;
};

/** Returns the fault of a parameter that is given several times, since a parameter must be a single string. */
const givenOnce = ({ field, message }: FieldFault): FieldFault => ({
  field,
  message: message === "must be a string" ? "must be given once" : message,
});

const syntaxFault = Effect.gen(function* () {
  const { text } = yield* HttpServerRequest.HttpServerRequest;
  const { line, column } = jsonFault(yield* Effect.orDie(text)) ?? { line: 1, column: 1 };
  return [{ field: "body", message: `is not valid JSON at line ${line}, column ${column}` }];
});
