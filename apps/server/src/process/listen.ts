import { createServer } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { Data, Duration, Effect, Exit, Latch, Scope } from "effect";
import type { HttpServerRequest, HttpServerResponse } from "effect/http";
import { answerBrokenRequests, type LogBroken, refuseRequest } from "./answer-broken-requests.ts";
import { NO_HOST } from "./broken-request.ts";
import { Connections } from "./Connections.ts";
import { DEADLINES, keepDeadlines } from "./request-deadlines.ts";
import { RequestHold } from "./RequestHold.ts";

/** The time that requests may take after the server stops; requests that are still open then get a 503 (spec 8). */
const ANSWERS = Duration.millis(16_500);
/** The time for which the server waits for these 503 answers to be sent. */
const LAST_ANSWERS = Duration.seconds(1);

/** The server cannot listen on the address. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

/**
 * Serves an app on Node's HTTP server, with the limits of security: headers 16 KiB and 10 s, requests 60 s, uploads 10
 * min. Returns the port. The server listens only once the app can answer, because Node loses requests that arrive
 * earlier. When the scope closes, the server answers the accepted requests and accepts no more.
 */
export const listen = Effect.fnUntraced(function* <E>(
  { host, port }: { readonly host: string; readonly port: number },
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>,
) {
  const scope = yield* Effect.scope;
  const requests = yield* Scope.fork(scope, "parallel");
  const fork = Effect.runForkWith(yield* Effect.context<never>());
  const log: LogBroken = (line) =>
    void fork(Effect.logInfo("request", { method: "none", route: "none", ms: 0, ...line }));
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: DEADLINES.upload,
    // The Host field is checked below, because Node's own refusal has an empty body.
    requireHostHeader: false,
  });
  const connections = new Connections(server);
  keepDeadlines(server, DEADLINES);
  const handler = yield* NodeHttpServer.makeHandler(app, { scope: requests });
  const hold = new RequestHold(server);
  server.on("request", (request, response) =>
    request.headers.host === undefined && request.httpVersion === "1.1"
      ? refuseRequest(NO_HOST, response, log)
      : hold.pass(() => handler(request, response)),
  );
  answerBrokenRequests(server, (socket) => connections.isAnswering(socket), log);

  const begin = Effect.callback<void, ListenError>((resume) => {
    server.once("error", ({ message }) => resume(Effect.fail(new ListenError({ message }))));
    server.listen({ host, port }, () => resume(Effect.void));
  });
  const stop = Effect.gen(function* () {
    const closed = Latch.makeUnsafe();
    connections.stop();
    yield* Effect.promise(() => hold.untilCalm());
    // Node's `http.Server.close` would cut connections that seem idle.
    NetServer.prototype.close.call(server, () => closed.openUnsafe());
    hold.release();
    const allClosed = Effect.interruptible(closed.await);
    yield* Effect.timeoutOption(allClosed, ANSWERS);
    yield* Scope.close(requests, Exit.void);
    yield* Effect.timeoutOption(allClosed, LAST_ANSWERS);
    server.closeAllConnections();
  });
  // Scopes close in reverse order, so open requests finish before their handlers are released.
  yield* Effect.acquireRelease(begin, () => stop);
  return (server.address() as AddressInfo).port;
});
