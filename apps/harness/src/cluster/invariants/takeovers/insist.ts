import { Effect, Exit } from "effect";
import type { Visit } from "../../Visit.ts";

/** The maximum number of repeats of a request, and the wait before each, in milliseconds. */
const TIMES = 40;
const PAUSE = 1_000;

/**
 * Repeats a request until it succeeds. A request fails if its node ends, or while the unfinished work of an ended node
 * counts as in progress.
 */
export const insist = <A, E>(visit: Visit, request: Effect.Effect<A, E>, times = TIMES): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.exit(request), (exit) =>
    Exit.isSuccess(exit) || times <= 1 ? exit : Effect.andThen(visit.wait(PAUSE), insist(visit, request, times - 1)),
  );

/** Makes a request whose answer is ignored, because its node stops. */
export const begin = <A, E>(request: Effect.Effect<A, E>) => Effect.forkChild(Effect.exit(request));
