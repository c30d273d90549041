import { StoreUnavailable } from "@postern/core/shared";
import { Effect, Exit, Schedule, Scope } from "effect";

/** The same time as the first connection attempt may take. */
const PATIENCE = "30 seconds";

/** Releases everything and starts again if the database server goes away during a start, at whatever statement. */
export const whileItComesBack = <A, E, R>(
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
