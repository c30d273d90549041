import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { Data, Effect, Scope } from "effect";
import type { HttpServerRequest, HttpServerResponse } from "effect/http";
import { answerBrokenRequest } from "./broken-request.ts";
import { DEADLINES, keepDeadlines } from "./request-deadlines.ts";

/** How long requests under way may take once the server is told to stop (decisions 8). */
const DRAIN_MILLIS = 20_000;

/** The address cannot be listened on. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

/**
 * Serves an app on Node's HTTP server, with the limits of security: headers 16 KiB and 10 s, requests 60 s, uploads 10 min. Answers with
 * the port. Listens only once the app can answer, for Node loses a request that comes before; when its scope closes it
 * lets what is under way end.
 */
export const listen = Effect.fnUntraced(function* <E>(
  { host, port }: { readonly host: string; readonly port: number },
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>,
) {
  const scope = yield* Effect.scope;
  const requests = yield* Scope.fork(scope, "parallel");
  const server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: DEADLINES.upload });
  keepDeadlines(server, DEADLINES);
  server.on("request", yield* NodeHttpServer.makeHandler(app, { scope: requests }));
  server.on("clientError", answerBrokenRequest);
  const begin = Effect.callback<void, ListenError>((resume) => {
    server.once("error", ({ message }) => resume(Effect.fail(new ListenError({ message }))));
    server.listen({ host, port }, () => resume(Effect.void));
  });
  const drain = Effect.callback<void>((resume) => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MILLIS);
    server.close(() => {
      clearTimeout(late);
      resume(Effect.void);
    });
  });
  // Scopes close in reverse, so requests are waited for before what answers them goes away.
  yield* Effect.acquireRelease(begin, () => drain);
  return (server.address() as AddressInfo).port;
});
