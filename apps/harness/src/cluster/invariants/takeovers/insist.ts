import { Effect, Exit } from "effect";
import type { Visit } from "../../Visit.ts";

/** How often a client repeats a request, and how long it waits before, in milliseconds. */
const TIMES = 40;
const PAUSE = 1_000;

/**
 * Makes a request again until it succeeds: nodes end meanwhile, and the work that they left is refused as in progress.
 */
export const insist = <A, E>(visit: Visit, request: Effect.Effect<A, E>, times = TIMES): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.exit(request), (exit) =>
    Exit.isSuccess(exit) || times <= 1 ? exit : Effect.andThen(visit.wait(PAUSE), insist(visit, request, times - 1)),
  );

/** Makes a request whose answer does not matter, because its node stops. */
export const begin = <A, E>(request: Effect.Effect<A, E>) => Effect.forkChild(Effect.exit(request));
