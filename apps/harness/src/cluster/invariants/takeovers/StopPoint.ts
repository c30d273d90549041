import type { Cluster } from "../../Cluster.ts";
import type { AnsweredCall, PortCall } from "../../faults/PortCall.ts";
import type { Incarnation } from "../../timeline/Incarnation.ts";

/** The time until an ended node starts again: longer than other nodes need to take over its work. In milliseconds. */
const RESTART_MILLIS = 25_000;
/** The time for which a node that loses an answer is cut off from the store, in milliseconds. */
const CUT_MILLIS = 10;

/**
 * Stops the node that makes a certain call: before the call, or after its effect and before its answer; or makes the
 * node lose the answer.
 */
export class StopPoint {
  readonly #cluster: Cluster;
  #armed: { readonly matches: (call: AnsweredCall) => boolean; readonly hit: (node: Incarnation) => void } | undefined;
  #armedBefore: { readonly matches: (call: PortCall) => boolean; readonly pause: number } | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Makes the next matching call end its node or, if `pause` is given, pause it for this many milliseconds. */
  arm(matches: (call: AnsweredCall) => boolean, pause: number | null = null): void {
    this.#armed = {
      matches,
      hit: (node) => (pause === null ? endNode(this.#cluster, node) : this.#cluster.pause(node, pause)),
    };
  }

  /** Makes the node of the next matching call to the store lose the answer. */
  armLost(matches: (call: AnsweredCall) => boolean): void {
    const hit = (node: Incarnation) => {
      node.cutOffFrom.add("store");
      this.#cluster.timeline.after(CUT_MILLIS, () => node.cutOffFrom.delete("store"));
    };
    this.#armed = { matches, hit };
  }

  /** Pauses the node of the next matching call before the call, for this many milliseconds. */
  armBefore(matches: (call: PortCall) => boolean, pause: number): void {
    this.#armedBefore = { matches, pause };
  }

  /** Whether the awaited call has happened. */
  get isHit(): boolean {
    return this.#armed === undefined && this.#armedBefore === undefined;
  }

  disarm(): void {
    this.#armed = undefined;
    this.#armedBefore = undefined;
  }

  /** Observes a call before its effect. */
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
    armed.hit(call.node);
  }
}

/** Ends a node, which starts again after other nodes had time to take over. */
export const endNode = (cluster: Cluster, node: Incarnation): void => {
  // A node at its gate gets no result, and the code that ends it may run only after the call.
  cluster.pause(node, RESTART_MILLIS);
  cluster.timeline.soon(() => {
    for (let place = 0; place < cluster.size; place++) {
      if (cluster.nodeAt(place) !== node) continue;
      cluster.crash(place);
      cluster.timeline.after(RESTART_MILLIS, () => cluster.nodeAt(place) ?? cluster.boot(place));
    }
  });
};
