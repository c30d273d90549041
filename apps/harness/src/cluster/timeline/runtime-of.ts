import { Clock, Context, Random, References, Scheduler } from "effect";
import type { Incarnation } from "./Incarnation.ts";
import type { SeededRandom } from "./SeededRandom.ts";
import type { Timeline } from "./Timeline.ts";

const built = new WeakMap<Incarnation, Context.Context<never>>();

/** Returns the services of a node's fibers: its clock, the scheduler of the simulation, and seeded randomness. */
export const runtimeOf = (node: Incarnation, timeline: Timeline, random: SeededRandom): Context.Context<never> => {
  const known = built.get(node);
  if (known !== undefined) return known;
  const runtime = Context.make(Scheduler.Scheduler, timeline.scheduler).pipe(
    // No call takes so long that it must yield to others, and the check after each operation takes time.
    Context.add(Scheduler.PreventSchedulerYield, true),
    Context.add(Clock.Clock, node.clock),
    Context.add(Random.Random, {
      nextDoubleUnsafe: () => random.next(),
      nextIntUnsafe: () => random.between(0, 2 ** 32),
    }),
    Context.add(References.CurrentLoggers, new Set()),
    Context.add(References.TracerEnabled, false),
  );
  built.set(node, runtime);
  return runtime;
};
