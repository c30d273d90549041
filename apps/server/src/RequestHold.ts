import type { Server } from "node:http";

/** Nothing has come or left for so long, and a round of the event loop took no longer than this. */
const CALM_MILLIS = 5;
const ROUND_MILLIS = 1;
const MOST_MILLIS = 1_000;

/**
 * Holds back what comes while a server stops listening. The system goes on making connections until then, and resets
 * those that are not accepted at that moment, with the request a client has sent on them. While requests are held no
 * answer makes a client come back, so that soon all who come have been accepted.
 */
export class RequestHold {
  #held: Array<() => void> | undefined;
  #lastMoveAt = 0;

  constructor(server: Server) {
    const move = () => void (this.#lastMoveAt = performance.now());
    server.on("connection", move);
    server.on("request", (_, response) => response.once("close", move));
  }

  /** Begins a request, now or once requests are released. */
  pass(begin: () => void): void {
    if (this.#held === undefined) begin();
    else this.#held.push(begin);
  }

  /** Holds requests from now on, and waits until no more connections come. */
  async untilCalm(): Promise<void> {
    this.#held = [];
    const began = performance.now();
    let before = began;
    for (;;) {
      // Just after the event loop took what had come.
      await new Promise((resolve) => setImmediate(resolve));
      const now = performance.now();
      const isCalm = now - before < ROUND_MILLIS && now - Math.max(began, this.#lastMoveAt) >= CALM_MILLIS;
      if (isCalm || now - began > MOST_MILLIS) return;
      before = now;
    }
  }

  /** Begins the requests that were held, and holds no more. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const begin of held) begin();
  }
}
