import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * The time for which a connection may stay idle after the server stops, so that a request that the client already sent
 * still arrives.
 */
const IDLE_MILLIS = 1_000;
const LOOK_MILLIS = 100;

/**
 * The connections of a server, which are closed only after every accepted request is answered. Node's own `close` ends
 * idle connections at once, which loses requests in flight, and lets busy connections accept further requests.
 */
export class Connections {
  /** The requests without a complete answer, by connection, in order of arrival. */
  readonly #open = new Map<Socket, Set<ServerResponse>>();
  #stopping = false;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#open.set(socket, new Set());
      socket.once("close", () => this.#open.delete(socket));
    });
    server.on("request", ({ socket }, response) => {
      const responses = this.#open.get(socket);
      if (responses === undefined) return;
      responses.add(response);
      response.once("close", () => responses.delete(response));
      if (this.#stopping) lastOf(responses);
    });
  }

  /** Returns whether the head of an answer was sent, but not its whole body. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#open.get(socket) ?? [])].some(({ headersSent }) => headersSent);
  }

  /** Sends `Connection: close` with every answer from now on, and closes connections that stay idle. */
  stop(): void {
    this.#stopping = true;
    for (const responses of this.#open.values()) lastOf(responses);
    const seen = new Map<Socket, { readonly bytes: number; readonly at: number }>();
    const look = (now: number) => {
      for (const [socket, responses] of this.#open) {
        const before = seen.get(socket);
        if (responses.size > 0 || before?.bytes !== socket.bytesRead) {
          seen.set(socket, { bytes: responses.size > 0 ? -1 : socket.bytesRead, at: now });
        } else if (now - before.at >= IDLE_MILLIS) socket.destroy();
      }
    };
    const timer = setInterval(() => {
      if (this.#open.size === 0) return clearInterval(timer);
      // At this point, the bytes that have already arrived are read.
      setImmediate(look, performance.now());
    }, LOOK_MILLIS);
    look(performance.now());
  }
}

/** Returns the last of pipelined requests. Only its answer may end the connection. */
const lastOf = (responses: ReadonlySet<ServerResponse>): void => {
  const all = [...responses];
  for (const [index, response] of all.entries()) {
    if (!response.headersSent) response.shouldKeepAlive = index < all.length - 1;
  }
};
