import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Effect, type Scope } from "effect";
import type { Certificate } from "./private-authority.ts";

/** A server on a free loopback port that exchanges raw bytes. */
export interface RawServer {
  readonly port: number;
  /** Returns the number of connections accepted so far, before TLS. */
  readonly connections: () => number;
  /** Returns everything that clients sent so far; without the TLS layer, if there is one. */
  readonly received: () => string;
}

/** Starts a server that passes each socket to a handler; with a certificate, the server uses TLS from the start. */
export const rawServer = (
  handle: (socket: Socket) => void,
  certificate?: Certificate,
): Effect.Effect<RawServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    let [connections, received] = [0, ""];
    const sockets = new Set<Socket>();
    const serve = (socket: Socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("data", (bytes) => (received += bytes.toString("latin1")));
      handle(socket);
    };
    const server: Server = certificate === undefined ? createServer(serve) : createTlsServer({ ...certificate }, serve);
    server.on("connection", (socket: Socket) => {
      connections++;
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    });
    server.on("tlsClientError", () => {});
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))),
      () =>
        Effect.promise(() => {
          const closed = new Promise<void>((done) => server.close(() => done()));
          for (const socket of sockets) socket.destroy();
          return closed;
        }),
    );
    const { port } = server.address() as AddressInfo;
    return { port, connections: () => connections, received: () => received };
  });
