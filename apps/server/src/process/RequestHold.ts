import type { Server } from "node:http";

/** The duration of the calm that releases the hold: no connection, no answer and no longer turn of the event loop. */
const CALM_MILLIS = 5;
const ROUND_MILLIS = 1;
const MAX_MILLIS = 1_000;

/**
 * Holds requests while a server stops listening. While the server stops listening, the operating system completes
 * further connections, but resets those that the server has not accepted, and their requests are lost. While requests
 * are held, clients get no answers and open no further connections, so all pending connections are soon accepted.
 */
export class RequestHold {
  #held: Array<() => void> | undefined;
  #lastMoveAt = 0;

  constructor(server: Server) {
    const move = () => void (this.#lastMoveAt = performance.now());
    server.on("connection", move);
    server.on("request", (_, response) => response.once("close", move));
  }

  /** Starts a request, now or once requests are released. */
  pass(begin: () => void): void {
    if (this.#held === undefined) begin();
    else this.#held.push(begin);
  }

  /** Holds requests from now on, and waits until no more connections arrive. */
  async untilCalm(): Promise<void> {
    this.#held = [];
    const began = performance.now();
    let before = began;
    for (;;) {
      // The event loop has just accepted the pending connections.
      await new Promise((resolve) => setImmediate(resolve));
      const now = performance.now();
      const isCalm = now - before < ROUND_MILLIS && now - Math.max(began, this.#lastMoveAt) >= CALM_MILLIS;
      if (isCalm || now - began > MAX_MILLIS) return;
      before = now;
    }
  }

  /** Starts the held requests and stops holding. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const begin of held) begin();
  }
}
