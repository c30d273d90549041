import { InvalidRequest, ReadLeniently } from "@postern/api";
import { type FieldFault, fieldOf, MAX_FAULTS } from "@postern/core/shared";
import { Context, Effect } from "effect";
import { HttpMethod, HttpServerRequest } from "effect/http";
import type { HttpApiEndpoint } from "effect/http-api";
import { crowdedPlace, MOST_VALUES } from "./crowded-place.ts";
import { RequestId } from "../wire/RequestId.ts";

export const UNKNOWN_PARAMETER = "is not a parameter of this request";
export const UNKNOWN_MEMBER = "is not a field of this request";

/**
 * Refuses input that the contract's decoders ignore or that would take too long to check (spec 2): parameters of an
 * operation without a query, members in the body of one without a body, and too many values.
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
  const body = text === "" ? null : parsed(text);
  if (body === null) return [];
  return typeof body === "object" && !Array.isArray(body)
    ? Object.keys(body).map((name) => fault([name], UNKNOWN_MEMBER))
    : [fault([], "must be empty")];
});

const crowd = Effect.map(textOfBody, (text): ReadonlyArray<FieldFault> => {
  // Each value takes at least two characters.
  const place = text.length < 2 * MOST_VALUES ? undefined : crowdedPlace(parsed(text));
  return place === undefined ? [] : [fault(place, `must have at most ${MOST_VALUES} values`)];
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
