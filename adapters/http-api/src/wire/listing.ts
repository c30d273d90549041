import { HttpServerResponse } from "effect/http";

/**
 * Returns a response of the contract's type without encoding it: for hundreds of entries the encoding by schema would
 * change nothing and take a tenth of the page's time. The harness's tests decode such responses by their schema.
 */
export const listing = <Answer>(answer: Answer): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(answer);
