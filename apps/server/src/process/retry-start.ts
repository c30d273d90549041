import { StoreUnavailable } from "@postern/core/shared";
import { Effect, Exit, Schedule, Scope } from "effect";

/** The time limit of all attempts, equal to that of the first connection attempt. */
const PATIENCE = "30 seconds";

/** Runs a start. If the database server becomes unavailable at any statement, releases everything and starts again. */
export const retryStart = <A, E, R>(
  begin: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope);
    return yield* Effect.onExit(Scope.provide(begin, scope), (exit) =>
      Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void,
    );
  }).pipe(
    Effect.tapError((error) =>
      error instanceof StoreUnavailable
        ? Effect.logWarning(`the database does not answer; starting again: ${error.detail}`)
        : Effect.void,
    ),
    Effect.retry({
      while: (error) => error instanceof StoreUnavailable,
      schedule: Schedule.upTo(Schedule.spaced("500 millis"), { duration: PATIENCE }),
    }),
  );
