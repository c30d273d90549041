import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { Effect, Layer } from "effect";

/** How long requests under way may take once the server is told to stop (decisions 8). */
const DRAIN_MILLIS = 20_000;

/** Node's HTTP server with the limits of security (headers 16 KiB and 10 s, requests 60 s); drains when it stops. */
export const httpServer = (options: { readonly host: string; readonly port: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 60_000 });
      server.on("clientError", answerBrokenRequest);
      yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()));
      return NodeHttpServer.layer(() => server, { ...options, gracefulShutdownTimeout: DRAIN_MILLIS });
    }),
  );

const BROKEN = {
  HPE_HEADER_OVERFLOW: { status: 431, title: "Request Header Fields Too Large", code: "headers_too_large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, title: "Request Timeout", code: "request_timeout" },
} as const;

/** What is no HTTP never reaches a handler; it gets a problem all the same. */
const answerBrokenRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, title, code } = BROKEN[error.code as keyof typeof BROKEN] ?? {
    status: 400,
    title: "Bad Request",
    code: "invalid_request",
  };
  const body = JSON.stringify({
    type: `urn:postern:problem:${code}`,
    title,
    status,
    ok: false,
    code,
    requestId: "none",
  });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
