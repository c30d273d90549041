import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Effect, type Scope } from "effect";
import { makeAuthority } from "./private-authority.ts";

export interface HttpsSite {
  readonly port: number;
  /** The certificate of the private authority that signed the certificate of the site. */
  readonly ca: string;
  /** Sets the answer; before that, the site answers 404. */
  readonly answer: (listener: RequestListener) => void;
  /** The requests so far: the host and the path. */
  readonly requests: ReadonlyArray<string>;
  /** Returns the number of connections accepted so far. */
  readonly connections: () => number;
}

/** An https server on a free port of all loopback addresses, for these host names. */
export const httpsSite = (...names: ReadonlyArray<string>): Effect.Effect<HttpsSite, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const authority = makeAuthority();
        const certificate = authority.issue(names.map((name) => `DNS:${name}`).join());
        authority.remove();
        const site = { requests: new Array<string>(), listener: notFound, connections: 0 };
        const sockets = new Set<Socket>();
        const server = createServer(certificate, (request, response) => {
          site.requests.push(`${request.headers.host} ${request.url}`);
          site.listener(request, response);
        });
        server
          .on("tlsClientError", () => {})
          .on("connection", (socket: Socket) => {
            site.connections++;
            sockets.add(socket);
            socket.on("error", () => {}).on("close", () => sockets.delete(socket));
          });
        server.listen(0, "0.0.0.0");
        await once(server, "listening");
        return { ca: authority.ca, server, site, sockets };
      }),
      ({ server, sockets }) =>
        Effect.promise(
          () =>
            new Promise<void>((closed) => {
              server.close(() => closed());
              for (const socket of sockets) socket.destroy();
            }),
        ),
    ),
    ({ ca, server, site }) => ({
      port: (server.address() as AddressInfo).port,
      ca,
      answer: (listener) => void (site.listener = listener),
      requests: site.requests,
      connections: () => site.connections,
    }),
  );

const notFound: RequestListener = (_, response) => void response.writeHead(404).end();
