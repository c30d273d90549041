import { Duration, Effect } from "effect";

/** The pause after a failure. */
const AFTER_FAILURE = Duration.seconds(1);

/** Repeats a step until it is interrupted; logs a failure and waits a second before the next step. */
export const repeatSteps = <E, R>(name: string, step: Effect.Effect<unknown, E, R>): Effect.Effect<never, never, R> =>
  Effect.forever(
    Effect.catchCause(step, (cause) =>
      Effect.andThen(Effect.logWarning(`${name}: a step failed`, cause), Effect.sleep(AFTER_FAILURE)),
    ),
  );
