import { MAIL_RETRIES } from "@postern/core/send";
import { describe, expect, it } from "vitest";
import { Cluster } from "../src/cluster/Cluster.ts";
import { memoryWiring } from "../src/cluster/memory-wiring.ts";
import { Incarnation } from "../src/cluster/timeline/Incarnation.ts";
import { Trace } from "../src/cluster/timeline/Trace.ts";

describe("a node that is paused twice", () => {
  it("continues when its last pause ends, not when an earlier one would have ended", () => {
    const cluster = new Cluster({
      seed: 1,
      nodes: 1,
      ladder: MAIL_RETRIES.delays,
      wiring: memoryWiring(1, undefined, undefined),
      trace: (now) => new Trace(now, null),
    });
    const { timeline } = cluster;
    const node = new Incarnation("n1.1", timeline, { offset: 0, drift: 1 });
    const start = timeline.now;
    cluster.pause(node, 10_000);
    timeline.runUntil(start + 5_000);
    cluster.pause(node, 10_000);
    timeline.runUntil(start + 12_000);
    expect(node.isPaused).toBe(true);
    timeline.runUntil(start + 16_000);
    expect(node.isPaused).toBe(false);
  });
});
