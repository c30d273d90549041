import { sweeps } from "@postern/core";
import { Effect, Layer, Schedule } from "effect";

/**
 * Runs sweeps at start and once an hour, each separately, so that a sweep that waits for mail servers delays no other.
 * A failed sweep is logged and repeated an hour later.
 */
export const repeatSweeps = <E, R>(all: ReadonlyArray<Effect.Effect<void, E, R>>) =>
  Effect.forEach(
    all,
    (sweep) =>
      Effect.catchCause(sweep, (cause) => Effect.logWarning("a sweep failed", cause)).pipe(
        Effect.repeat(Schedule.spaced("1 hour")),
        Effect.forkScoped,
      ),
    { discard: true },
  );

/** The sweeps of all domains. */
export const Housekeeping: Layer.Layer<never, never, Effect.Services<typeof sweeps>> = Layer.effectDiscard(
  Effect.flatMap(sweeps, repeatSweeps),
);
