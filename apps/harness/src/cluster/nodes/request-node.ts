import { Effect, Exit, Fiber, type Scope } from "effect";
import type { FaultInjection } from "../faults/FaultInjection.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import { shortLine } from "../timeline/short-line.ts";
import type { Timeline } from "../timeline/Timeline.ts";
import type { Trace } from "../timeline/Trace.ts";

interface Surroundings {
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly faults: FaultInjection;
}

/** Runs an effect in the runtime of a node. */
type Fork = <A, E>(effect: Effect.Effect<A, E>, done?: (exit: Exit.Exit<A, E>) => void) => void;

/**
 * Makes a request at a node. The answer is null if the node crashes, or if the client stops waiting or disconnects. A
 * disconnection interrupts the use case, as in the HTTP server.
 */
export const requestNode = <A, E>(
  { timeline, trace, faults }: Surroundings,
  { node, fork, patience }: { readonly node: Incarnation; readonly fork: Fork; readonly patience: number },
  name: string,
  useCase: Effect.Effect<A, E, Scope.Scope>,
  answered: (exit: Exit.Exit<A, E> | null) => void,
): void => {
  trace.say(() => `user asks ${node.name}: ${name}`);
  let isOver = false;
  const over = (exit: Exit.Exit<A, E> | null) => {
    if (isOver) return;
    isOver = true;
    trace.say(() => `user of ${name}: ${exit === null ? "no answer" : shortLine(exit)}`);
    answered(exit);
  };
  let interrupt = Effect.void;
  const handled = Effect.flatMap(Effect.forkIn(Effect.scoped(useCase), node.scope), (fiber) => {
    interrupt = Fiber.interrupt(fiber);
    return Fiber.await(fiber);
  });
  fork(
    Effect.andThen(handled, (exit) => Effect.sync(() => over(node.isDead ? null : exit))),
    () => over(null),
  );
  timeline.after(patience, () => over(null));
  const disconnect = faults.drawDisconnect();
  if (disconnect === null) return;
  timeline.after(disconnect, () => {
    if (isOver) return;
    faults.hit("disconnect");
    over(null);
    fork(interrupt);
  });
};
