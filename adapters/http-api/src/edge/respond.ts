import { Effect } from "effect";
import { HttpServerRespondable, HttpServerResponse } from "effect/http";
import type { Answer } from "../problems/table.ts";

/** Returns the response for a problem outside the contract's handlers, with its header fields. */
export const respond = ({
  problem,
  headers = {},
}: Answer<HttpServerRespondable.Respondable>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(HttpServerRespondable.toResponse(problem), HttpServerResponse.setHeaders(headers));
