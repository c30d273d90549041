import { describe, expect, it } from "vitest";
import { effects } from "../src/cluster/invariants/workers/effects.ts";
import { memoryWiring } from "../src/cluster/memory-wiring.ts";
import { Cluster } from "../src/cluster/Cluster.ts";
import { Incarnation } from "../src/cluster/timeline/Incarnation.ts";
import { SeededRandom } from "../src/cluster/timeline/SeededRandom.ts";
import { Trace } from "../src/cluster/timeline/Trace.ts";
import { Timeline } from "../src/cluster/timeline/Timeline.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

describe("the wrong clocks of nodes", () => {
  it("drift apart, but stay closer than the shortest lease while a day passes", () => {
    const timeline = new Timeline(new SeededRandom(1));
    const slow = new Incarnation("n1.1", timeline, { offset: -900, drift: 0.999 });
    const fast = new Incarnation("n2.2", timeline, { offset: 900, drift: 1.001 });
    const apart = () => fast.millis() - slow.millis();
    expect(apart()).toBe(1_800);
    timeline.runUntil(timeline.now + 100 * SECOND);
    expect(apart()).toBe(2_000);
    timeline.skipTo(timeline.now + DAY);
    expect(apart()).toBe(3_000);
  });

  it("let a node act until its own lease ends, and no longer, though another took the row", () => {
    const cluster = new Cluster({
      seed: 1,
      nodes: 1,
      ladder: [SECOND],
      wiring: memoryWiring(1, undefined, undefined),
      trace: (now) => new Trace(now, null),
    });
    const { timeline } = cluster;
    const slow = new Incarnation("n1.1", timeline, { offset: -900, drift: 1 });
    const fast = new Incarnation("n2.2", timeline, { offset: 900, drift: 1 });
    const { called, answered } = effects.watch(cluster);
    const port = "OutgoingJournal";
    const claim = (node: Incarnation) => {
      const lease = { token: node.name, until: node.millis() + 30 * SECOND };
      answered!({
        node,
        port,
        method: "claim",
        args: [node.millis(), lease, 1],
        answer: [{ id: "out_1" }],
        commit: {},
      });
    };
    const deliver = (node: Incarnation) =>
      called!({ node, port: "MailTransport", method: "deliver", args: ["a", { envelopeId: "out_1" }] });
    claim(slow);
    timeline.runUntil(timeline.now + 29 * SECOND);
    deliver(fast);
    expect(cluster.violations.length).toBe(1);
    claim(fast);
    deliver(slow);
    deliver(fast);
    expect(cluster.violations.length).toBe(1);
    timeline.runUntil(timeline.now + SECOND);
    deliver(slow);
    expect(cluster.violations.length).toBe(2);
    expect(cluster.violations[1]).toContain("n1.1 begins the delivery of out_1 without its lease");
  });
});
