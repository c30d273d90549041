import { InvalidRequest, ReadLeniently } from "@postern/api";
import { Context, Effect } from "effect";
import { HttpMethod, HttpServerRequest } from "effect/http";
import type { HttpApiEndpoint } from "effect/http-api";
import { type FieldFault, fieldOf, MOST_FAULTS } from "./field-faults.ts";
import { RequestId } from "./RequestId.ts";

export const UNKNOWN_PARAMETER = "is not a parameter of this request";
export const UNKNOWN_MEMBER = "is not a field of this request";

/**
 * Refuses what the contract has no schema for, and its decoders therefore do not see: parameters of an operation without
 * a query, and the members of a body of one without a body (decisions 2).
 */
export const refuseUnknown = ({ annotations, payload, query }: HttpApiEndpoint.Top) => {
  const isLenient = Context.get(annotations, ReadLeniently);
  if (isLenient || (query !== undefined && payload.size > 0)) return Effect.void;
  return Effect.gen(function* () {
    const parameters = query === undefined ? Object.keys(yield* HttpServerRequest.ParsedSearchParams) : [];
    const members = payload.size === 0 ? yield* membersOfBody : [];
    const faults = [...parameters.map((name) => fault(name, UNKNOWN_PARAMETER)), ...members];
    if (faults.length === 0) return;
    return yield* new InvalidRequest({ requestId: yield* RequestId, errors: faults.slice(0, MOST_FAULTS) });
  });
};

const fault = (name: string, message: string): FieldFault => ({ field: fieldOf([name]), message });

const membersOfBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest;
  if (!HttpMethod.hasBody(request.method) && !announcesBody(request.headers)) return [];
  const text = yield* Effect.orDie(request.text);
  if (text === "") return [];
  const body = parsed(text);
  if (body === null) return [];
  return typeof body === "object" && !Array.isArray(body)
    ? Object.keys(body).map((name) => fault(name, UNKNOWN_MEMBER))
    : [{ field: "body", message: "must be empty" }];
});

const announcesBody = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
