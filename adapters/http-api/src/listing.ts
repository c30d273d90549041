import { HttpServerResponse } from "effect/http";

/**
 * A long answer, typed by the contract but written as it is: encoding hundreds of entries by their schema would change
 * nothing and take a tenth of the time of a page. The harness's tests decode such answers by their schema.
 */
export const listing = <Answer>(answer: Answer): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(answer);
