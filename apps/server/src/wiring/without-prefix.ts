import type { IncomingMessage } from "node:http";
import { Effect } from "effect";
import { HttpServerRequest } from "effect/http";

const firstSegment = (path: string): string => /^\/[^/?#]*/.exec(path)?.[0] ?? "/";

/**
 * Returns an app that sees request paths without the prefix at which the service is mounted. Hono removes the prefix;
 * Fastify and `node:http` leave it; Express removes it from `url` and leaves it in `originalUrl`. If the path without
 * the prefix is not a path of the service, the host has already removed the prefix: with the prefix `/mail`, Hono
 * passes `/mail/inbox` for `/mail/mail/inbox`.
 */
export const withoutPrefix = <A, E, R>(
  app: Effect.Effect<A, E, R>,
  prefix: string,
  paths: ReadonlyArray<string>,
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> => {
  const ours = new Set(paths.map(firstSegment));
  const below = (url: string): string | undefined => {
    if (!url.startsWith(prefix) || !/^([/?]|$)/.test(url.slice(prefix.length))) return undefined;
    const rest = url.slice(prefix.length).replace(/^(?!\/)/, "/");
    return ours.has(firstSegment(rest)) ? rest : undefined;
  };
  if (prefix === "") return app;
  return Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) => {
    const whole = (request.source as IncomingMessage & { readonly originalUrl?: string }).originalUrl;
    const url = (whole === undefined ? undefined : below(whole)) ?? below(request.url) ?? request.url;
    return request.modify({ url });
  });
};
