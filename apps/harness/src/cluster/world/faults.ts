import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../Cluster.ts";
import { FAULT_TARGETS, type FaultTarget } from "../timeline/FaultTarget.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import { restartNode } from "../nodes/stop-node.ts";
import type { Script } from "../Script.ts";
import type { Refusal } from "../faults/ServerFaults.ts";
import { USERS } from "./accounts.ts";

/** Adds acts in which nodes crash, are paused and are cut off, and servers become unavailable, at the rates of the seed. */
export const faultActs = (script: Script): void => {
  const { cluster } = script;
  const { random, faults, size } = cluster;
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
    restartNode(cluster, place);
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
    if (node !== null) cutOff(cluster, node, random.pick(FAULT_TARGETS)!, random.between(1_000, 30_000));
  });

  script.often(times(faults.rates.outage), () => takeStoreAway(cluster, random.between(500, 30_000)));
  script.often(times(faults.rates.refusal), () => {
    const account = random.pick(USERS)!;
    const reason = random.pick(["not_permitted", "over_quota"] as const);
    // Some refusals end only when all faults end.
    refuseChanges(cluster, account, reason, random.chance(0.3) ? Infinity : random.between(1_000, 60_000));
  });
};

const cutOff = ({ trace, timeline }: Cluster, node: Incarnation, target: FaultTarget, millis: number): void => {
  trace.say(() => `${node.name} is cut off from ${target}`);
  node.cutOffFrom.add(target);
  timeline.after(millis, () => {
    trace.say(() => `${node.name} reaches ${target} again`);
    node.cutOffFrom.delete(target);
  });
};

/** Makes the store unavailable for this time: it ends every transaction and answers no node. */
const takeStoreAway = ({ servers, wiring, trace, timeline }: Cluster, millis: number): void => {
  if (servers.isStoreAway) return;
  trace.say(() => "the store goes away");
  servers.isStoreAway = true;
  wiring.restartStore();
  timeline.after(millis, () => {
    trace.say(() => "the store is back");
    servers.isStoreAway = false;
  });
};

/** Makes the mail server of an account refuse changes of its mailboxes for this time. */
const refuseChanges = (
  { servers, facts, trace, timeline }: Cluster,
  account: AccountId,
  reason: Refusal,
  millis: number,
): void => {
  if (servers.refusals.has(account)) return;
  trace.say(() => `the mail server refuses changes of ${account}: ${reason}`);
  servers.refusals.set(account, reason);
  facts.push({ _tag: "ChangesRefused", account });
  if (millis !== Infinity) timeline.after(millis, () => servers.refusals.delete(account));
};
