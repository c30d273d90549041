import type { Cluster } from "../../Cluster.ts";
import type { AnsweredCall, PortCall } from "../../faults/PortCall.ts";

/**
 * How long an ended node takes to start again: longer than other nodes may take to take over its work. In milliseconds.
 */
const RESTART_MILLIS = 25_000;

/** Stops the node that makes a certain call: before the call, or after it had its effect and before the node learns so. */
export class StopPoint {
  readonly #cluster: Cluster;
  #armed: { readonly matches: (call: AnsweredCall) => boolean; readonly pause: number | null } | undefined;

  #armedBefore: { readonly matches: (call: PortCall) => boolean; readonly pause: number } | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Makes the next matching call end its node or, if `pause` is given, pause it for this many milliseconds. */
  arm(matches: (call: AnsweredCall) => boolean, pause: number | null = null): void {
    this.#armed = { matches, pause };
  }

  /** Lets the node of the next call that matches stand still before the call, for so many milliseconds. */
  armBefore(matches: (call: PortCall) => boolean, pause: number): void {
    this.#armedBefore = { matches, pause };
  }

  /** Whether no call is waited for any more. */
  get isHit(): boolean {
    return this.#armed === undefined && this.#armedBefore === undefined;
  }

  disarm(): void {
    this.#armed = undefined;
    this.#armedBefore = undefined;
  }

  /** Sees a call before its effect. */
  seeBefore(call: PortCall): void {
    const armed = this.#armedBefore;
    if (armed === undefined || !armed.matches(call)) return;
    this.#armedBefore = undefined;
    this.#cluster.pause(call.node, armed.pause);
  }

  /** Checks a call that took effect. */
  see(call: AnsweredCall): void {
    const armed = this.#armed;
    if (armed === undefined || !armed.matches(call)) return;
    this.#armed = undefined;
    const cluster = this.#cluster;
    const { node } = call;
    // A node at its gate gets no result; the code that ends it may run only after the call.
    cluster.pause(node, armed.pause ?? RESTART_MILLIS);
    if (armed.pause !== null) return;
    cluster.timeline.soon(() => {
      for (let place = 0; place < cluster.size; place++) {
        if (cluster.nodeAt(place) !== node) continue;
        cluster.crash(place);
        cluster.timeline.after(RESTART_MILLIS, () => cluster.nodeAt(place) ?? cluster.boot(place));
      }
    });
  }
}
