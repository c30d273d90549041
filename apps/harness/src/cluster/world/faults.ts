import { FAULT_TARGETS } from "../FaultTarget.ts";
import type { Script } from "../Script.ts";

/** Crashes, pauses and cuts off nodes, as often as the seed's mix says. */
export const faultActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, faults, size } = cluster;
  const times = (perMinute: number) => Math.round(script.minutes * perMinute);
  const living = () => {
    const node = cluster.nodeAt(random.between(0, size));
    return node === null || node.isPaused ? null : node;
  };

  script.often(times(faults.rates.crash), () => {
    const place = random.between(0, size);
    const node = cluster.nodeAt(place);
    if (node === null) return;
    faults.hit("crash");
    for (const [port, calls] of node.calls) if (calls > 0) faults.hit("crash", port);
    cluster.crash(place);
    timeline.after(random.between(500, 20_000), () => cluster.nodeAt(place) ?? cluster.boot(place));
  });

  script.often(times(faults.rates.pause), () => {
    const node = living();
    if (node === null) return;
    faults.hit("pause");
    for (const [port, calls] of node.calls) if (calls > 0) faults.hit("pause", port);
    cluster.pause(node, random.between(3_000, 75_000));
  });

  script.often(times(faults.rates.partition), () => {
    const node = living();
    if (node !== null) cluster.cutOff(node, random.pick(FAULT_TARGETS)!, random.between(1_000, 30_000));
  });
};
