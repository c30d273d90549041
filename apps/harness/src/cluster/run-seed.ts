import { ParseJobs } from "@postern/core/bounces";
import { FolderRemovals } from "@postern/core/folders";
import { OutgoingJournal } from "@postern/core/send";
import type { RetryLadder } from "@postern/core/shared";
import { DeliveryQueue } from "@postern/core/webhooks";
import { Context, Effect, Option } from "effect";
import { Cluster } from "./Cluster.ts";
import { guardHost } from "./guard-host.ts";
import type { Invariant } from "./Invariant.ts";
import { memoryWiring } from "./memory-wiring.ts";
import { Script } from "./Script.ts";
import { TIMELINE_START } from "./Timeline.ts";
import { Trace } from "./Trace.ts";
import type { WorldPart } from "./WorldPart.ts";

/** How to run a seed. */
export interface SeedRun {
  readonly seed: number;
  readonly nodes: number;
  /** How long the faults last, in virtual milliseconds. */
  readonly millis: number;
  readonly ladder: RetryLadder;
  readonly world: ReadonlyArray<WorldPart>;
  readonly invariants: ReadonlyArray<Invariant>;
  /** Runs only so many acts. */
  readonly acts?: number;
  /** Receives the lines of the trace. */
  readonly write?: (line: string) => void;
}

/** What came of a seed. */
export interface SeedResult {
  readonly violations: ReadonlyArray<string>;
  /** The number of acts in the script. */
  readonly acts: number;
  /** Faults by `kind port`. */
  readonly hits: ReadonlyMap<string, number>;
  readonly virtualMillis: number;
  readonly lastLines: ReadonlyArray<string>;
}

/** How long nodes may take to start and be prepared, and users to repeat what failed, in milliseconds. */
const PREPARED = 5_000;
const REPEATED = 120_000;
/** What falls due later than this is jumped to; nodes have so long to notice. */
const JUMP = 30_000;
const NOTICE = 10_000;
/** A cluster that is not quiet after this time never is, in milliseconds. */
const NEVER = 36 * 3_600_000;

/** Runs a seed: prepares, acts under faults, lets the cluster become quiet, and checks. */
export const runSeed = (run: SeedRun): SeedResult =>
  guardHost(() => {
    const { seed, nodes, ladder, world, write = null } = run;
    const cluster = new Cluster({
      seed,
      nodes,
      wiring: memoryWiring({ seed, ladder }),
      trace: (now) => new Trace(now, write),
    });
    const { timeline, faults } = cluster;
    const watches = run.invariants.map((invariant) => invariant.watch(cluster));
    for (const { answered } of watches) if (answered !== undefined) cluster.observers.push(answered);

    for (let place = 0; place < nodes; place++) cluster.boot(place);
    timeline.runUntil(timeline.now + PREPARED);
    for (const { prepare } of world) {
      prepare?.(cluster);
      timeline.runUntil(timeline.now + PREPARED);
    }

    const script = new Script(cluster, run.millis);
    for (const part of world) part.write(script);
    faults.isOn = true;
    timeline.runUntil(script.play(run.acts));
    cluster.heal();
    becomeQuiet(cluster);
    for (const { quiet } of watches) quiet?.();
    return {
      violations: cluster.violations,
      acts: script.length,
      hits: faults.hits,
      virtualMillis: timeline.now - TIMELINE_START,
      lastLines: cluster.trace.last,
    };
  });

/** Lets time pass until nothing is due any more, jumping over the time between. */
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
        ]),
        (times) => Math.min(...times.map(Option.getOrElse(() => Infinity))),
      ),
    );
  timeline.runUntil(timeline.now + REPEATED);
  for (let due = nextDue(); due !== Infinity; due = nextDue()) {
    if (timeline.now > limit) return cluster.violate("quiet", "work is due for ever");
    if (due > timeline.now + JUMP) timeline.skipTo(due - NOTICE);
    timeline.runUntil(Math.max(due, timeline.now) + NOTICE);
  }
  timeline.runUntil(timeline.now + JUMP);
};
