import { Effect } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { methodNotAllowed } from "../problems/requests.ts";
import { respond } from "./respond.ts";
import { RequestId } from "../wire/RequestId.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];

/**
 * Adds routes for the methods that a path does not support: 405 with `Allow`, and `OPTIONS` with the same list. Without
 * these routes the router treats a known path with a wrong method as an unknown path.
 */
export const methodRoutes = (
  taken: Iterable<{ readonly method: string; readonly path: string }>,
): ReadonlyArray<HttpRouter.Route<never, never>> => {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { method, path } of taken) {
    methodsByPath.set(path, (methodsByPath.get(path) ?? new Set()).add(method));
  }
  return [...methodsByPath].flatMap(([path, methods]) => {
    const allow = allowOf(methods);
    return METHODS.filter((method) => !methods.has(method)).map((method) =>
      HttpRouter.route(method, path as HttpRouter.PathInput, refuse(method, allow)),
    );
  });
};

const allowOf = (methods: ReadonlySet<string>): string =>
  [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted().join(", ");

const refuse = (method: Method, allow: string): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  method === "OPTIONS"
    ? Effect.succeed(HttpServerResponse.empty({ status: 204, headers: { allow } }))
    : Effect.flatMap(RequestId, (requestId) => respond(methodNotAllowed(requestId, allow)));
