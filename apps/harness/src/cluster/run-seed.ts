import { ParseJobs } from "@postern/core/bounces";
import { DraftRecords } from "@postern/core/drafts";
import { FolderRemovals } from "@postern/core/folders";
import { OutgoingJournal } from "@postern/core/send";
import type { RetryLadder } from "@postern/core/shared";
import { DeliveryQueue } from "@postern/core/webhooks";
import { Cause, Context, Effect, Option } from "effect";
import { Cluster } from "./Cluster.ts";
import { guardHost } from "./timeline/guard-host.ts";
import type { Invariant } from "./Invariant.ts";
import { memoryWiring } from "./memory-wiring.ts";
import type { Plant } from "./plants/Plant.ts";
import { Script } from "./Script.ts";
import { LivelockError, TIMELINE_START } from "./timeline/Timeline.ts";
import { Trace } from "./timeline/Trace.ts";
import { shortLine } from "./timeline/short-line.ts";
import { Visit } from "./Visit.ts";
import type { OwnStores } from "./nodes/Wiring.ts";
import type { WorldPart } from "./WorldPart.ts";

/** The parameters of a seed. */
export interface SeedRun {
  readonly seed: number;
  readonly nodes: number;
  /** The duration of the faults, in virtual milliseconds. */
  readonly millis: number;
  readonly ladder: RetryLadder;
  readonly world: ReadonlyArray<WorldPart>;
  readonly invariants: ReadonlyArray<Invariant>;
  /** Returns whether the client of an invariant runs after the faults; by default every client runs. */
  readonly comes?: (invariant: string) => boolean;
  readonly stores?: OwnStores;
  /** A bug to plant into the wiring. */
  readonly plant?: Plant;
  /** The number of acts to run; all by default. */
  readonly acts?: number;
  /** Receives the lines of the trace. */
  readonly write?: (line: string) => void;
}

/** The result of running a seed. */
export interface SeedResult {
  readonly violations: ReadonlyArray<string>;
  /** The number of acts in the script. */
  readonly acts: number;
  /** Faults by `kind port`. */
  readonly hits: ReadonlyMap<string, number>;
  readonly virtualMillis: number;
  /** The end of the trace before the first violation, if it was traced. */
  readonly linesBefore: ReadonlyArray<string>;
}

/** The maximum time until nodes have started and settled, and users have repeated failed requests, in milliseconds. */
const PREPARED = 5_000;
/** The maximum time until a part of the world is prepared without faults, in milliseconds. */
const PREPARED_PART = 1_500;
const REPEATED = 45_000;
const STOPPED = 20_000;
/** The maximum duration of a call that began before the faults ended, in milliseconds. */
const SETTLED = 25_000;
/**
 * The minimum time until work is due for which the clock jumps, in milliseconds. A jump to earlier work would save
 * nothing, because it ends all leases.
 */
const JUMP = 30_000;
/** The maximum duration of due work, in milliseconds. */
const DUE_WORK_MILLIS = 2_000;
/** The maximum time until watches notice changes during a jump, in milliseconds. */
const NOTICE_MILLIS = 15_000;
/** A time longer than the interval at which the reason of a watch is checked, in milliseconds. */
const RECHECK_MILLIS = 11 * 60_000;
/** A time longer than each retention, in milliseconds. */
const RETENTION = 60 * 24 * 3_600_000;
/** The time after which a cluster that is still not quiet fails its seed, in milliseconds. */
const NEVER = 36 * 3_600_000;
/** The number of rounds after which work that still falls due fails the seed. */
const MAX_ROUNDS = 1_000;
/** The number of nodes of a client that has a cluster for itself. */
const NODES_APART = 2;

/** Runs a seed: prepares, acts under faults, lets the cluster become quiet, and checks. */
export const runSeed = (run: SeedRun): SeedResult =>
  guardHost(() => {
    const { seed, nodes, ladder, write = null } = run;
    const cluster = new Cluster({
      seed,
      nodes,
      ladder,
      wiring: memoryWiring(seed, run.plant, run.stores),
      trace: (now) => new Trace(now, write),
    });
    const { faults } = cluster;
    const watches = run.invariants.map((invariant) => ({ name: invariant.name, ...invariant.watch(cluster) }));
    for (const { called, answered } of watches) {
      if (called !== undefined) cluster.listeners.push(called);
      if (answered !== undefined) cluster.observers.push(answered);
    }

    let played = { acts: 0, virtualMillis: 0 };
    try {
      played = play(cluster, run, watches);
    } catch (error) {
      if (!(error instanceof LivelockError)) throw error;
      cluster.violate("livelock", "tasks at one instant do not end");
    }
    return {
      violations: cluster.violations,
      ...played,
      hits: faults.hits,
      linesBefore: cluster.linesBefore,
    };
  });

type NamedWatch = ReturnType<Invariant["watch"]> & Pick<Invariant, "name">;

/** Plays a seed to its end; returns the number of its acts, and the time until the cluster was quiet. */
const play = (cluster: Cluster, run: SeedRun, watches: ReadonlyArray<NamedWatch>) => {
  const { timeline } = cluster;
  for (let place = 0; place < cluster.size; place++) cluster.boot(place);
  timeline.runUntil(timeline.now + PREPARED);
  if (!cluster.isServing) throw new Error("no node starts");
  for (const { prepare } of run.world) {
    if (prepare === undefined) continue;
    prepare(cluster);
    timeline.runUntil(timeline.now + PREPARED_PART);
  }

  const script = new Script(cluster, run.millis);
  for (const part of run.world) part.write(script);
  cluster.faults.isOn = true;
  timeline.runUntil(script.play(run.acts));
  cluster.heal();
  const repeatedUntil = timeline.now + REPEATED;
  timeline.runUntil(timeline.now + PREPARED);
  for (const { recover } of run.world) recover?.(cluster);
  timeline.runUntil(timeline.now + SETTLED);
  const { comes = () => true } = run;
  const guests = watches.filter(({ name }) => comes(name));
  visitCluster(cluster, run.seed, guests, "calm");
  timeline.runUntil(Math.max(timeline.now, repeatedUntil));
  becomeQuiet(cluster);
  const virtualMillis = timeline.now - TIMELINE_START;
  for (const { quiet } of watches) quiet?.();
  if (guests.some(({ later }) => later !== undefined)) {
    timeline.skipTo(timeline.now + RECHECK_MILLIS);
    timeline.runUntil(timeline.now + NOTICE_MILLIS);
    visitCluster(cluster, run.seed, guests, "later");
    becomeQuiet(cluster);
  }
  if (guests.some(({ alone }) => alone !== undefined)) {
    visitCluster(cluster, run.seed, guests, "alone");
    becomeQuiet(cluster);
  }
  for (const { name, apart } of guests) if (apart !== undefined) visitApart(cluster, run, name, apart);
  timeline.skipTo(timeline.now + RETENTION);
  timeline.runUntil(timeline.now + DUE_WORK_MILLIS);
  for (const { aged } of watches) aged?.();
  cluster.stop();
  timeline.runUntil(timeline.now + STOPPED);
  for (const { stopped } of watches) stopped?.();
  return { acts: script.length, virtualMillis };
};

/** Runs the clients of these invariants: together, or one after another if each must be alone. */
const visitCluster = (
  cluster: Cluster,
  seed: number,
  watches: ReadonlyArray<NamedWatch>,
  when: "calm" | "later" | "alone",
): void => {
  const visits = watches.flatMap(({ name, [when]: visit }) =>
    visit === undefined
      ? []
      : Effect.catchCause(visit(new Visit(cluster, name, seed)), (cause) =>
          Effect.sync(() => cluster.violate(name, `a request failed: ${shortLine(Cause.squash(cause))}`)),
        ),
  );
  cluster.runNow(Effect.all(visits, { concurrency: when === "alone" ? 1 : "unbounded", discard: true }));
};

/** Runs a client at a cluster of its own; reports its violations at the cluster of the seed. */
const visitApart = (
  cluster: Cluster,
  { seed, ladder, plant, stores, write }: SeedRun,
  name: string,
  visit: NonNullable<NamedWatch["apart"]>,
): void => {
  const apart = new Cluster({
    seed,
    nodes: NODES_APART,
    ladder,
    wiring: memoryWiring(seed, plant, stores, "any"),
    trace: (now) => new Trace(now, write ?? null),
  });
  for (let place = 0; place < NODES_APART; place++) apart.boot(place);
  apart.timeline.runUntil(apart.timeline.now + PREPARED);
  const visited = Effect.catchCause(visit(new Visit(apart, name, seed), apart), (cause) =>
    Effect.sync(() => apart.violate(name, `a request failed: ${String(Cause.squash(cause))}`)),
  );
  apart.runNow(visited);
  for (const violation of apart.violations) cluster.violate(name, violation.slice(`${name}: `.length));
};

/** Advances the time until nothing is due any more; jumps over idle time. */
const becomeQuiet = (cluster: Cluster): void => {
  const { timeline } = cluster;
  const limit = timeline.now + NEVER;
  const nextDue = () =>
    cluster.ask((ports) =>
      Effect.map(
        Effect.all([
          Context.get(ports, OutgoingJournal).nextDue,
          Context.get(ports, DeliveryQueue).nextDue,
          Context.get(ports, FolderRemovals).nextDue,
          Context.get(ports, ParseJobs).nextDue,
          Context.get(ports, DraftRecords).nextDue,
        ]),
        (times) => Math.min(...times.map(Option.getOrElse(() => Infinity))),
      ),
    );
  let rounds = 0;
  for (let due = nextDue(); due !== Infinity; due = nextDue()) {
    if (timeline.now > limit || ++rounds > MAX_ROUNDS)
      return cluster.violate("quiet", `work is due for ever, next in ${due - timeline.now} ms`);
    if (due > timeline.now + JUMP) timeline.skipTo(due - DUE_WORK_MILLIS);
    timeline.runUntil(Math.max(due, timeline.now) + DUE_WORK_MILLIS);
  }
  timeline.runUntil(timeline.now + NOTICE_MILLIS);
};
