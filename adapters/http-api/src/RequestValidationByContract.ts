import { Authorization, InvalidRequest, RequestValidation } from "@postern/api";
import { Effect, Layer } from "effect";
import { HttpServerRequest } from "effect/http";
import { HttpApiError } from "effect/http-api";
import { type FieldFault, fieldFaults } from "./field-faults.ts";
import { jsonFault } from "./json-fault.ts";
import { readStrictly, UNKNOWN_MEMBER, UNKNOWN_PARAMETER } from "./read-strictly.ts";
import { RequestId } from "./RequestId.ts";

/**
 * Names every field at fault (spec 2). Strangers are told first that they are: an operation that needs a sign-in
 * refuses what is unknown to it after that.
 */
export const RequestValidationByContract = Layer.succeed(RequestValidation, (httpEffect, { endpoint }) => {
  const strict = endpoint.middlewares.has(Authorization)
    ? httpEffect
    : Effect.andThen(readStrictly(endpoint), httpEffect);
  return Effect.catch(strict, (error) =>
    HttpApiError.HttpApiSchemaError.is(error) ? Effect.flatMap(faultsOf(error), refused) : Effect.fail(error),
  );
});

const refused = (errors: ReadonlyArray<FieldFault>) =>
  Effect.flatMap(RequestId, (requestId) => Effect.fail(new InvalidRequest({ requestId, errors })));

/** What is wrong with a request; that an answer does not fit the contract is our own fault. */
const faultsOf = (error: HttpApiError.HttpApiSchemaError) => {
  const { kind, cause } = error;
  if (kind === "Body" || kind === "ResponseHeaders") return Effect.die(error);
  // The one issue of a body that is not found in a value of it is that the text is no JSON.
  return kind === "Payload" && cause.issue._tag === "InvalidValue"
    ? syntaxFault
    : Effect.succeed(fieldFaults(cause.issue, kind === "Query" ? UNKNOWN_PARAMETER : UNKNOWN_MEMBER));
};

const syntaxFault = Effect.gen(function* () {
  const { text } = yield* HttpServerRequest.HttpServerRequest;
  const { line, column } = jsonFault(yield* Effect.orDie(text)) ?? { line: 1, column: 1 };
  return [{ field: "body", message: `is not valid JSON at line ${line}, column ${column}` }];
});
