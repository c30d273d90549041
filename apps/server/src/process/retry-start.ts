import { StoreUnavailable } from "@postern/core/shared";
import { Effect, Exit, Schedule, Scope } from "effect";

/** The same time that the first connection attempt may take. */
const PATIENCE = "30 seconds";

/** If the database server becomes unavailable during a start, at any statement, releases everything and starts again. */
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
