import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { SecureVersion } from "node:tls";
import { Effect, type Scope } from "effect";
import type { Certificate } from "@postern/testkit";

export interface RealServer {
  readonly port: number;
  /** Returns the number of connections accepted so far. */
  readonly connections: () => number;
}

const listening = (server: Server, host: string): Effect.Effect<RealServer, never, Scope.Scope> => {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  return Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        server.listen(0, host);
        await once(server, "listening");
        const address = server.address();
        return address !== null && typeof address === "object" ? address.port : 0;
      }),
      () =>
        Effect.promise(() => {
          const closed = new Promise<void>((done) => server.close(() => done()));
          for (const socket of sockets) socket.destroy();
          return closed;
        }),
    ),
    (port) => ({ port, connections: () => connections }),
  );
};

export const httpServer = (handle: RequestListener, host = "127.0.0.1") => listening(createServer(handle), host);

export const httpsServer = (
  handle: RequestListener,
  certificate: Certificate,
  options: { readonly maxVersion?: SecureVersion; readonly minVersion?: SecureVersion; readonly ciphers?: string } = {},
) => {
  const server = createTlsServer({ ...certificate, ...options }, handle);
  server.on("tlsClientError", () => {});
  return listening(server, "127.0.0.1");
};

/** A server that exchanges raw bytes. */
export const tcpServer = (handle: (socket: Socket) => void) => listening(createTcpServer(handle), "127.0.0.1");
