import type { Incarnation } from "../timeline/Incarnation.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";
import type { Timeline } from "../timeline/Timeline.ts";

/** Stops and starts nodes; implemented by the cluster, which imports this file. */
interface Nodes {
  readonly random: SeededRandom;
  readonly timeline: Timeline;
  readonly nodeAt: (place: number) => Incarnation | null;
  readonly pause: (node: Incarnation, millis: number) => void;
  readonly crash: (place: number) => void;
  readonly boot: (place: number) => void;
}

/**
 * The duration of a pause, usually longer than a node's leases, and the time until a node starts again, in
 * milliseconds.
 */
const PAUSE_MILLIS = { least: 5_000, most: 70_000 };
const RESTART_MILLIS = { least: 500, most: 20_000 };

/** Stops a node at once, in the middle of its work: pauses it for a while, or ends it until it starts again. */
export const stopNode = (cluster: Nodes, place: number, kind: "crash" | "pause"): void => {
  const { random, timeline } = cluster;
  const node = cluster.nodeAt(place);
  if (node === null) return;
  cluster.pause(node, random.between(PAUSE_MILLIS.least, PAUSE_MILLIS.most));
  if (kind === "pause") return;
  timeline.soon(() => {
    if (cluster.nodeAt(place) === node) restartNode(cluster, place);
  });
};

/** Ends the node at a place, which starts again later. */
export const restartNode = (cluster: Nodes, place: number): void => {
  cluster.crash(place);
  const millis = cluster.random.between(RESTART_MILLIS.least, RESTART_MILLIS.most);
  cluster.timeline.after(millis, () => cluster.nodeAt(place) ?? cluster.boot(place));
};
