import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import type { Invariant } from "../src/cluster/Invariant.ts";
import { clientOf } from "../src/cluster/invariants/send/outbox-client.ts";
import { runSeed } from "../src/cluster/run-seed.ts";
import { seedOptions } from "../src/cluster/seed-options.ts";
import { Incarnation } from "../src/cluster/timeline/Incarnation.ts";
import { SeededRandom } from "../src/cluster/timeline/SeededRandom.ts";
import { Timeline } from "../src/cluster/timeline/Timeline.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

/** A client that leaves a message that is due a day later. */
const planner: Invariant = {
  name: "planner",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const { send } = clientOf(visit, cluster, yield* visit.signUp("planner"));
        yield* send("tomorrow", { sendAt: visit.now + DAY });
      }),
  }),
};

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

  it("take no row from a node that holds it, when work was due a day ahead", { timeout: 60_000 }, () => {
    const usual = seedOptions(500_008, 3, undefined);
    const { violations } = runSeed({
      ...usual,
      invariants: [...usual.invariants, planner],
      comes: (invariant) => invariant === planner.name || usual.comes!(invariant),
    });
    expect(violations).toEqual([]);
  });
});
