import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a connection may lie idle once the server stops: a client that is about to use it does so before. */
const IDLE_MILLIS = 1_000;
const LOOK_MILLIS = 100;

/**
 * The connections of a server, to end them so that no request that was accepted stays without an answer. Node ends idle
 * ones at once, which takes an answer that is still being written along, and a request that is on its way there; and it
 * lets busy ones take request after request.
 */
export class Connections {
  /** By connection, what is not answered in full; in the order it came. */
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

  /** Whether the head of an answer has left and its body has not. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#open.get(socket) ?? [])].some(({ headersSent }) => headersSent);
  }

  /** From now on every answer says `Connection: close`, and connections that stay idle are closed. */
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
      // After whatever has come by now was read.
      setImmediate(look, performance.now());
    }, LOOK_MILLIS);
    look(performance.now());
  }
}

/** Where a client sent several requests at once, only the answer to the last may end the connection. */
const lastOf = (responses: ReadonlySet<ServerResponse>): void => {
  const all = [...responses];
  for (const [index, response] of all.entries()) {
    if (!response.headersSent) response.shouldKeepAlive = index < all.length - 1;
  }
};
