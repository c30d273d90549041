import type { Cluster } from "../Cluster.ts";

/** How long a node stands still, as a rule longer than its leases, and how long it takes to start again, in milliseconds. */
const PAUSED = { least: 5_000, most: 70_000 };
const AWAY = { least: 500, most: 20_000 };

/** Lets a node stand still at once, in the middle of what it does, for a while or until it ends and starts again. */
export const stopNode = (cluster: Cluster, place: number, kind: "crash" | "pause"): void => {
  const { random, timeline } = cluster;
  const node = cluster.nodeAt(place);
  if (node === null) return;
  cluster.pause(node, random.between(PAUSED.least, PAUSED.most));
  if (kind === "pause") return;
  timeline.soon(() => {
    if (cluster.nodeAt(place) === node) restartNode(cluster, place);
  });
};

/** Ends the node at a place, which starts again later. */
export const restartNode = (cluster: Cluster, place: number): void => {
  cluster.crash(place);
  const millis = cluster.random.between(AWAY.least, AWAY.most);
  cluster.timeline.after(millis, () => cluster.nodeAt(place) ?? cluster.boot(place));
};
