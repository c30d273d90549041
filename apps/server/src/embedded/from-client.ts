import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import type { ClientOptions } from "./Postern.ts";

/** Returns an app whose requests count as sent from the client address that the host states. */
export const fromClient = <A, E, R>(
  app: Effect.Effect<A, E, R>,
  options: ClientOptions | undefined,
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
    request.modify({ remoteAddress: Option.fromUndefinedOr(options?.clientAddress) }),
  );
