import { Cause, Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { shortLine } from "../../../timeline/short-line.ts";
import type { Visit } from "../../../Visit.ts";
import { HOUR, MINUTE, SECOND } from "../durations.ts";

/** An act of a walk: a request or a change of the world. It compares the answer with the model, and updates the model. */
export interface Act {
  readonly name: string;
  /** How often the act is drawn, compared with the others; 1 by default. */
  readonly weight?: number;
  /** Whether the act can be drawn now; always by default. */
  readonly isPossible?: () => boolean;
  readonly run: Effect.Effect<unknown, unknown>;
}

/** The number of acts that a violation names. */
const NAMED = 8;
/** The time after which a crashed node starts again, in milliseconds. */
const DOWN = 3 * SECOND;

/**
 * Runs random acts of a client that has a cluster for itself. The acts keep a model of what the specification promises,
 * so that any order of requests, crashes and passing time can be checked, also orders of which no author thought.
 */
export const walk = (visit: Visit, cluster: Cluster, acts: ReadonlyArray<Act>, steps: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const done: Array<string> = [];
    for (let step = 0; step < steps && cluster.violations.length === 0; step++) {
      const possible = acts.filter(({ isPossible }) => isPossible?.() ?? true);
      const act = cluster.random.pick(possible.flatMap((one) => Array.from({ length: one.weight ?? 1 }, () => one)));
      if (act === undefined) break;
      done.push(act.name);
      yield* Effect.catchCause(act.run, (cause) =>
        Effect.sync(() => visit.expect(false, `${act.name} fails: ${shortLine(Cause.squash(cause))}`)),
      );
    }
    const last = done.slice(-NAMED).join(", ");
    visit.expect(cluster.violations.length === 0, `the violation follows these acts: ${last}`);
  });

/**
 * The acts of the world around every walk: time passes, up to just before or just after a deadline of the model, and a node
 * crashes and starts again.
 */
export const worldActs = (
  visit: Visit,
  cluster: Cluster,
  /** The times, in epoch milliseconds, at which the model changes without a request. */
  deadlines: () => ReadonlyArray<number>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const upcoming = () => deadlines().filter((at) => at > visit.now + MINUTE);
  /** How far from a deadline a check is fair: clocks differ, and workers look every few seconds. */
  const margin = 30 * SECOND;
  return [
    { name: "seconds pass", run: Effect.suspend(() => visit.wait(random.between(SECOND, 20 * SECOND))) },
    { name: "minutes pass", run: Effect.suspend(() => visit.skip(random.between(2 * MINUTE, HOUR))) },
    { name: "hours pass", run: Effect.suspend(() => visit.skip(random.between(HOUR, 30 * HOUR))) },
    {
      name: "a deadline nears",
      isPossible: () => upcoming().length > 0,
      run: Effect.suspend(() => visit.skip(Math.max(2 * SECOND, random.pick(upcoming())! - margin - visit.now))),
    },
    {
      name: "a deadline passes",
      isPossible: () => upcoming().length > 0,
      run: Effect.suspend(() => visit.skip(random.pick(upcoming())! + margin - visit.now)),
    },
    {
      name: "a node crashes",
      run: Effect.suspend(() => {
        const place = random.between(0, cluster.size);
        cluster.crash(place);
        return Effect.andThen(
          visit.wait(DOWN),
          Effect.sync(() => cluster.nodeAt(place) ?? cluster.boot(place)),
        );
      }),
    },
  ];
};
